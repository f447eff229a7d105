import { KeysDialog as Keys } from '#web/ui/keys-dialog.tsx'

const keys: [keys: string[], words: string][] = [
  [['A'], 'Approve, then Enter'],
  [['R'], 'Reject, with the focus in the reason'],
  [['1', '…', '5'], 'Mark what differs, or take it away'],
  [['Alt', '1', '…', '7'], 'Add a ready reason, or take it away'],
  [['Alt', '8', '9', '0'], 'The same for what the case lacks'],
  [['Alt', 'T'], 'Templates of reasons'],
  [['Ctrl', '↵'], 'Send the rejection, or the note to a colleague'],
  [['Q'], 'Another look: put the case aside for a colleague'],
  [['N'], 'Next case'],
  [['P'], 'Previous case'],
  [['F', 'B', 'S'], 'Front, back, selfie; once more for the whole stage'],
  [['+', '−', '0'], 'Zoom in, zoom out, fit'],
  [['T'], 'Turn the pictures'],
  [['L'], 'Move the pictures together or one by one'],
  [['Esc'], 'One step back'],
  [['?'], 'This list'],
]

const note = 'In a field these keys are text, except for Ctrl with Enter and Esc.'

/** The keys of review mode. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return <Keys keys={keys} note={note} onClose={onClose} />
}
