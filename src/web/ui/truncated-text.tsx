/** Text from the platform on one line. In any script it starts at the column's start and is truncated at its end. */
export const TruncatedText = ({ children }: { children: string }) => (
  <bdi title={children} className="block truncate text-left">
    {children}
  </bdi>
)
