const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }
const singleLetters: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  ı: 'i',
  İ: 'I',
  ş: 's',
  Ş: 'S',
  ğ: 'g',
  '’': "'",
}

/** What a payment keeps of a text: the characters of SEPA. German banks spell umlauts out, others drop the dots. */
export const toSepaText = (text: string, isGerman: boolean): string =>
  text
    .replaceAll(/[äöüßÄÖÜ]/g, (letter) => (isGerman ? umlauts[letter]! : letter))
    .replaceAll(/[łŁøıİşŞğ’]/g, (letter) => singleLetters[letter]!)
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ')
