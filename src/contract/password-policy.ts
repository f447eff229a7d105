/** Passwords have this many characters of any kind, and never expire (docs/security.md). */
export const minPasswordLength = 15
export const maxPasswordLength = 128

/** Characters that must remain after well-known words are removed. */
const minRemaining = 8

// Common passwords of 15 or more characters are mostly these words, joined or padded with digits. The list is short
// because browsers load it: the server has a long one (105).
const wellKnown = [
  'password passwort passphrase pass secret letmein welcome changeme iloveyou login qwerty qwertz azerty asdfgh zxcvbn',
  'default dragon monkey football baseball sunshine princess master trustno whatever superman batman starwars computer',
  'internet administrator superadmin admin root super user test guest operator manager',
  'investment investor platform backoffice office console fraction wallet',
].flatMap((line) => line.split(' '))

/** Sentences that everybody takes for a good password, without blanks. */
const knownSentences = ['correcthorsebatterystaple', 'thequickbrownfox', 'maytheforcebewithyou']

/** Whether hardly more than a known sentence is left, however it is written. */
function isKnownSentence(folded: string): boolean {
  const letters = folded.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return knownSentences.some(
    (sentence) => letters.includes(sentence) && letters.length < sentence.length + minRemaining,
  )
}

const rows = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const runs = [...rows, ...rows.map((row) => Array.from(row).toReversed().join(''))]

const lookalikes = new Map(
  Object.entries({ '@': 'a', 4: 'a', 3: 'e', 1: 'i', '!': 'i', 0: 'o', $: 's', 5: 's', 7: 't' }),
)
const replaceLookalikes = (value: string) => value.replace(/[@431!0$57]/g, (sign) => lookalikes.get(sign) ?? sign)

/** The text without these words. Removes the longest first. */
const removeWords = (value: string, words: string[]) =>
  words.toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), value)

/** Removes runs of four or more neighbours on the keyboard, in the alphabet or in counting. */
function removeRuns(value: string): string {
  let left = ''
  for (let at = 0; at < value.length;) {
    let length = 1
    while (at + length < value.length && runs.some((run) => run.includes(value.slice(at, at + length + 1)))) length++
    if (length < 4) left += value[at]
    at += length < 4 ? 1 : length
  }
  return left
}

const isRepetition = (value: string) => new Set(value).size < 5 || /^(.{1,7}?)\1+.{0,6}$/su.test(value)

/** The problem of a new password, or null. Console and server ask this function, the server looks further after it. */
export function findPasswordProblem(password: string, username: string): string | null {
  if (password.length < minPasswordLength || password.length > maxPasswordLength)
    return `must have ${minPasswordLength} to ${maxPasswordLength} characters`
  if (password.includes('\0') || !password.isWellFormed()) return 'must not hold NUL or broken characters'
  const folded = password.toLowerCase()
  if (isRepetition(folded)) return 'must not repeat the same few characters'
  if (isKnownSentence(folded)) return 'is too easy to guess: everybody knows this sentence'
  const words = [...wellKnown, username.toLowerCase()].filter((word) => word.length >= 3)
  const isEasy = [removeRuns(folded), replaceLookalikes(folded)].some(
    (form) => removeWords(form, words).length < minRemaining,
  )
  return isEasy ? 'is too easy to guess: it is made of well-known words, the username or keyboard runs' : null
}
