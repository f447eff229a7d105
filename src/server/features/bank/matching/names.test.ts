import { expect, test } from 'vitest'
import { listNameKeys } from './name-tokens.ts'
import { compareNames, sameName, similarName } from './names.ts'

const compare = (payer: string, firstName: string, lastName: string) => compareNames(payer, { firstName, lastName })

test.each([
  ['MUELLER JURGEN', 'Jürgen', 'Müller'],
  ['Dr. Ana M. Lima', 'Ana', 'Lima'],
  ['YULIIA KOVALENKO', 'Юлія', 'Коваленко'],
  ['MARIA SILVA', 'Maria Joana', 'Ferreira da Silva'],
  ['JOAO SOUSA', 'João', 'Souza'],
  ['NUNEZ CASTRO ALVARO', 'Álvaro', 'Núñez Castro'],
  ['LIMAANA', 'Ana', 'Lima'],
  ['JUERGEN SCHWARZENB', 'Jürgen', 'Schwarzenberger'],
  ['Mohammed Omar', 'محمد', 'عمر'],
  ['DO HOA', 'Hoa', 'Đỗ'],
  ['SERHII SHEVCHENKO', 'Сергій', 'Шевченко'],
  ['O. TAYLOR', 'Oliver', 'Taylor'],
  ['ROSSI, E', 'Elena', 'Rossi'],
])('%s is the name of %s %s', (payer, firstName, lastName) => {
  expect(compare(payer, firstName, lastName).score).toBeGreaterThanOrEqual(sameName)
})

test.each([
  ['PEDRO LIMA', 'Ana', 'Lima', 'family'],
  ['ANA COSTA', 'Ana', 'Lima', 'other'],
  ['LIMA TRADING GMBH', 'Ana', 'Lima', 'company'],
  ['Wise Payments Ltd', 'Ana', 'Lima', 'company'],
  ['Revolut Bank UAB', 'Ana', 'Lima', 'company'],
  ['Petra Silva', 'Pedro', 'Silva', 'family'],
  ['MARIANA LIMA', 'Ana', 'Lima', 'family'],
  ['LIAN WANG', 'Li An', 'Wang', 'family'],
])('%s is not the name of %s %s', (payer, firstName, lastName, finding) => {
  const likeness = compare(payer, firstName, lastName)
  expect(likeness.score).toBeLessThan(similarName)
  expect(likeness.finding).toBe(finding)
})

test.each([
  ['ANA LIMA', 'Ana Maria', 'Lima'],
  ['ANA MARIA LIMA', 'Ana', 'Lima'],
  ['ANA LIMA E RUI LIMA', 'Ana', 'Lima'],
  ['JOSE GARCIA', 'José', 'García López'],
  ['ANNA SCHMITT', 'Anna', 'Schmidt'],
  ['JOSE SILVA JR', 'José', 'Silva'],
])('%s is similar to the whole name of %s %s', (payer, firstName, lastName) => {
  expect(compare(payer, firstName, lastName)).toMatchObject({ finding: 'similar' })
  expect(compare(payer, firstName, lastName).score).toBeGreaterThanOrEqual(sameName)
})

test.each([
  ['FEMKE VANDENBERG', 'Femke', 'van den Berg'],
  ['BERG, FEMKE VAN DEN', 'Femke', 'van den Berg'],
  ['HARRY O BRIEN', 'Harry', 'O’Brien'],
  ['MARCO D ANGELO', 'Marco', 'D’Angelo'],
  ['EMMA WILSONCLARKE', 'Emma', 'Wilson-Clarke'],
  ['JEAN PIERRE MOREAU', 'Jean-Pierre', 'Moreau'],
  ['Mej. LOTTE DE VRIES', 'Lotte', 'de Vries'],
  ['J?RGEN M?LLER', 'Jürgen', 'Müller'],
  ['JRGEN MLLER', 'Jürgen', 'Müller'],
  ['AASE BERG', 'Åse', 'Berg'],
  ['SERHII MELNYK', 'Сергій', 'Мельник'],
  ['BEATRIZ FERNANDES DA SILVA P', 'Beatriz', 'Fernandes da Silva Pinto'],
  ['Юлія Коваленко', 'Yuliia', 'Kovalenko'],
  ['محمد حسن', 'Mohammed', 'Hassan'],
])('%s is the whole name of %s %s in the spelling of a bank', (payer, firstName, lastName) => {
  expect(compare(payer, firstName, lastName).finding).toBe('same')
})

test.each([
  ['MARIO SILVA', 'Maria', 'Silva'],
  ['ANNA SILVA', 'Ana', 'Silva'],
  ['ALEXANDRA MEIER', 'Alexander', 'Meier'],
  ['ALEX MEIER', 'Alexander', 'Meier'],
  ['DANIEL SILVA', 'Daniela', 'Silva'],
  ['SILVA DANIEL', 'Daniela', 'Silva'],
  ['OLEKSANDRA BONDAR', 'Олександр', 'Бондар'],
  ['SCHWARZENBERGER-LANGE JULI', 'Julia', 'Schwarzenberger-Lange'],
])('%s is only like the name of %s %s', (payer, firstName, lastName) => {
  const { score } = compare(payer, firstName, lastName)
  expect(score).toBeGreaterThanOrEqual(similarName)
  expect(score).toBeLessThan(sameName)
})

test.each([
  ['RUTH STRAUSS', 'Ruth B.', 'Strauß', 'same'],
  ['STRAUSS RUTH B', 'Ruth B.', 'Strauß', 'same'],
  ['RUTH STRAUSS', 'Ruth Berta', 'Strauß', 'similar'],
  ['RUTH K STRAUSS', 'Ruth B.', 'Strauß', 'similar'],
  ['R STRAUSS', 'Ruth B.', 'Strauß', 'initial'],
  ['B STRAUSS', 'B.', 'Strauß', 'same'],
  ['STRAUSS', 'B.', 'Strauß', 'family'],
])('%s for %s %s is “%s”: a single letter is not asked of the payer', (payer, firstName, lastName, finding) => {
  expect(compare(payer, firstName, lastName).finding).toBe(finding)
})

test('a name that the bank cut off within a word resembles it', () => {
  expect(compare('ANNELIESE VO', 'Anneliese', 'von Bülow')).toEqual({ score: 0.8, finding: 'cut' })
  expect(compare('Jan van den', 'Jan', 'van den Berg')).toEqual({ score: 0.8, finding: 'cut' })
  expect(compare('Katrin Guent', 'Katrin Günter', 'Köhler')).toEqual({ score: 0.8, finding: 'cut' })
  expect(compare('DHR ALVARO M', 'Álvaro', 'Martínez')).toEqual({ score: 0.8, finding: 'cut' })
  expect(compare('NIKOLAOU ELE', 'Ελένη', 'Νικολάου')).toEqual({ score: 0.8, finding: 'cut' })
  expect(compare('ANNELIESE', 'Anneliese', 'von Bülow').finding).toBe('other')
})

test('an initial is told apart from a whole name', () => {
  expect(compare('A LIMA', 'Ana', 'Lima').finding).toBe('initial')
  expect(compare('PA LIMA', 'Paula Ana', 'Lima').finding).toBe('initial')
  expect(compare('ANA LIMA', 'Ana', 'Lima').finding).toBe('same')
})

test("a member's family name is not legal form of a company", () => {
  expect(compare('ANA SÁ', 'Ana', 'Sá')).toMatchObject({ finding: 'same' })
  expect(compare('ANA LIMA SA', 'Ana', 'Lima')).toMatchObject({ finding: 'company' })
})

test.each([
  ['WONG WAI', '伟', '王'],
  ['KIM MIN JUN', '민준', '김'],
  ['PRIYA SHARMA', 'प्रिया', 'शर्मा'],
  ['JULIA SCHTSCHERBAKOWA', 'Юлия', 'Щербакова'],
  ['MOHAMMED ALI', 'محمد', 'علي'],
  ['YUKI TANAKA', '優希', '田中'],
  ['SOMCHAI JAIDEE', 'สมชาย', 'ใจดี'],
  ['DAVID COHEN', 'דוד', 'כהן'],
  ['RUI PIRES', '伟', '王'],
  ['王伟', 'Rui', 'Pires'],
  ['김민준', '敏俊', '金'],
])('%s and the name %s %s in another script cannot be compared', (payer, firstName, lastName) => {
  expect(compare(payer, firstName, lastName)).toMatchObject({ finding: 'script' })
  expect(compare(payer, firstName, lastName).score).toBeLessThan(similarName)
})

test.each([
  ['李娜', '伟', '王', 'other'],
  ['Петро Бондар', 'Юлія', 'Коваленко', 'other'],
  ['ANA COSTA', 'Wei 伟', 'Wang 王', 'other'],
  ['Wise Payments Ltd', '伟', '王', 'company'],
  ['YULIIA KOVALENKO', 'Юлія', 'Коваленко', 'same'],
])('%s and the name %s %s are compared', (payer, firstName, lastName, finding) => {
  expect(compare(payer, firstName, lastName)).toMatchObject({ finding })
})

test('a name without words is unknown', () => {
  expect(compare('***', 'Ana', 'Lima').finding).toBe('unknown')
  expect(compareNames('ANA LIMA', { firstName: null, lastName: null }).finding).toBe('unknown')
})

test('a name is found by its words and their consonants', () => {
  expect(listNameKeys('Dr. Jürgen von Müller-Lange')).toEqual(['jurgen', '~jrgn', 'muller', '~mlr', 'lange', '~lng'])
  expect(listNameKeys('محمد')).toContain('~mhmd')
  expect(listNameKeys('Mohammed')).toContain('~mhmd')
  expect(listNameKeys('Ольга')).toEqual(expect.arrayContaining(['olga', 'olha']))
})
