import { expect, test } from 'vitest'
import { transliterateName } from './latin-letters.ts'

test('a name of another script is written in Latin letters', () => {
  const names = ['თამარ', 'Нина', 'Γιώργος', '王伟', '민준']
  expect(names.map(transliterateName)).toEqual(['Tamar', 'Nina', 'Giorgos', 'Wang Wei', 'Min Jun'])
})

test('a name in Latin letters, or without vowels, stays alone', () => {
  for (const name of ['Ana', 'Ayşe Koçak', 'Nguyễn', 'Łukasz', 'O’Neil', 'עדי', 'محمد', '', '123', null])
    expect(transliterateName(name), String(name)).toBeNull()
})
