/** What tells one number from the next stands at its end. */
const tailLength = 6
const shortLength = 12

/**
 * A number or id on one line, cut in the middle where it is longer than its place: its end always stays. It is one text,
 * so copying and reading out give the whole. Paper has it whole, on more lines.
 */
export function MiddleTruncated({ text }: { text: string }) {
  if (text.length <= shortLength) return <bdi className="whitespace-nowrap">{text}</bdi>
  return (
    <bdi
      title={text}
      className="block overflow-hidden whitespace-nowrap print:overflow-visible print:break-all print:whitespace-normal"
    >
      <span className="inline-block max-w-[calc(100%-4em)] truncate align-bottom print:inline print:overflow-visible print:whitespace-normal">
        {text.slice(0, -tailLength)}
      </span>
      {text.slice(-tailLength)}
    </bdi>
  )
}
