const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Scripts whose names begin with a capital. Georgian has capitals too, but names are not written with them. */
const capitalisingScripts = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u

/** The first letter of a name, as a person counts letters, in any script. */
export function getInitial(name: string): string {
  const [first] = graphemes.segment(name.trim())
  if (!first) return '?'
  return capitalisingScripts.test(first.segment) ? first.segment.toLocaleUpperCase() : first.segment
}
