/** The end of a number distinguishes it from the next one. */
const tailLength = 6
const shortLength = 12

/**
 * A number or id on one line, truncated in the middle so that its end stays visible. It is one text, so copies and
 * screen readers get all of it. Paper shows it whole.
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
