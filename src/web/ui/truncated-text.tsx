/** Text from the platform on one line: in any script it starts where its column does, and is cut at its end. */
export const TruncatedText = ({ children }: { children: string }) => (
  <bdi title={children} className="block truncate text-left">
    {children}
  </bdi>
)
