import { expect, test } from 'vitest'
import { isComposingKey, readKey } from './keys.ts'

test.each([
  ['j', 'KeyJ', 'j', 'a Latin letter'],
  ['J', 'KeyC', 'j', 'a letter of the Dvorak layout'],
  ['т', 'KeyN', 'n', 'a Cyrillic letter'],
  ['Λ', 'KeyL', 'l', 'a Greek capital letter'],
  ['ا', 'KeyH', 'h', 'an Arabic letter'],
  ['ㅏ', 'KeyK', 'k', 'a Korean letter'],
  ['٢', 'Digit2', '2', 'an Arabic digit'],
  ['б', 'Comma', 'б', 'a Cyrillic letter on a key of no letter'],
  ['é', 'Digit2', 'é', 'a French letter above a digit'],
  ['/', 'Digit7', '/', 'a German slash'],
  ['Enter', 'Enter', 'Enter', 'a key with a name'],
])('%s on the key %s is %s: %s', (key, code, expected) => {
  expect(readKey({ key, code })).toBe(expected)
})

// What browsers say of the Enter that confirms characters: most the first, Safari the second.
test.each([
  [true, 229, true],
  [false, 229, true],
  [false, 13, false],
])('a key of isComposing %s and key code %d is an input method’s: %s', (composing, keyCode, expected) => {
  expect(isComposingKey({ isComposing: composing, keyCode })).toBe(expected)
})
