import { useState, type ReactNode } from 'react'
import { alertOutputs, alertRoutes, alertTimings, type AlertOutput, type AlertTiming } from '#contract/alerts.ts'
import type { AlertChoice, Alerts } from '#contract/schemas/alerts.ts'
import { call } from '#web/api.ts'
import { getTimeZone } from '#web/lib/dates.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { describeHour, timingLabels, titleOf } from './alerts-words.ts'
import { useAccountChange } from './use-account-change.ts'

const outputLabels: Record<AlertOutput, string> = { email: 'E-mail', chat: 'Chat' }
const timings = alertTimings.map((value) => ({ value, label: timingLabels[value] }))
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: describeHour(hour) }))

/** All zones that the browser knows, with the one that is chosen. */
const listZones = (chosen: string) =>
  [...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
    .toSorted()
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }))

const isTiming = (value: string): value is AlertTiming => alertTimings.some((timing) => timing === value)

/** Chooses which notices go out, by which output, and when the digest comes. */
export default function AlertChooseDialog({ alerts, onClose }: { alerts: Alerts; onClose: () => void }) {
  // What was there when the dialog opened, also where another tab changes it meanwhile: then the version refuses.
  const [{ version }] = useState(alerts)
  const [choices, setChoices] = useState(alerts.choices)
  const [digestHour, setDigestHour] = useState(alerts.digestHour)
  const [timeZone, setTimeZone] = useState(alerts.timeZone ?? getTimeZone())
  const change = useAccountChange({
    send: () => call(alertRoutes.choose, { body: { choices, digestHour, timeZone }, ifMatch: version }),
    success: 'Alerts saved',
    describe: () => 'They begin with what comes from now on.',
    failure: 'Failed to save the alerts',
    onReply: onClose,
  })
  return (
    <FormDialog
      title="Choose alerts"
      description="At once: when a count grows, at most every 15 minutes. Digest: what waits, once a morning."
      action={{ label: 'Save Alerts' }}
      {...change.form}
      onClose={onClose}
    >
      <Timings choices={choices} onChange={setChoices} />
      <DigestClock clock={{ digestHour, timeZone }} onHour={setDigestHour} onZone={setTimeZone} />
    </FormDialog>
  )
}

interface TimingsProps {
  choices: AlertChoice[]
  onChange: (choices: AlertChoice[]) => void
}

/** Each notice with its timing by each output, after a line that sets all. */
function Timings({ choices, onChange }: TimingsProps) {
  const set = (output: AlertOutput, timing: string, only?: AlertChoice['kind']) => {
    if (!isTiming(timing)) return
    onChange(choices.map((each) => (only === undefined || each.kind === only ? { ...each, [output]: timing } : each)))
  }
  return (
    <ul aria-label="Notices" className="-mt-1 divide-y">
      <Row title="All notices" isStrong>
        {(output) => (
          <TimingSelect
            output={output}
            title="All notices"
            timing={commonTiming(choices, output)}
            onChange={(timing) => set(output, timing)}
          />
        )}
      </Row>
      {choices.map(({ kind, ...timing }) => (
        <Row key={kind} title={titleOf(kind)}>
          {(output) => (
            <TimingSelect
              output={output}
              title={titleOf(kind)}
              timing={timing[output]}
              onChange={(chosen) => set(output, chosen, kind)}
            />
          )}
        </Row>
      ))}
    </ul>
  )
}

interface DigestClockProps {
  clock: { digestHour: number; timeZone: string }
  onHour: (hour: number) => void
  onZone: (zone: string) => void
}

const DigestClock = ({ clock: { digestHour, timeZone }, onHour, onZone }: DigestClockProps) => (
  <div className="mt-4 grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-3 border-t pt-4">
    <SelectField
      label="Morning digest at"
      options={hours}
      value={String(digestHour)}
      onChoose={(value) => onHour(Number(value))}
    />
    <SelectField label="Time zone" options={listZones(timeZone)} value={timeZone} onChoose={onZone} />
  </div>
)

/** The timing of all notices, if they have one. */
function commonTiming(choices: readonly AlertChoice[], output: AlertOutput): AlertTiming | null {
  const [first] = choices
  return first && choices.every((choice) => choice[output] === first[output]) ? first[output] : null
}

interface RowProps {
  title: string
  isStrong?: boolean
  children: (output: AlertOutput) => ReactNode
}

const Row = ({ title, isStrong = false, children }: RowProps) => (
  <li className="grid grid-cols-2 gap-x-3 gap-y-1.5 py-2.5 text-13">
    <span className={`col-span-2 ${isStrong ? 'font-medium' : ''}`}>{title}</span>
    {alertOutputs.map((output) => (
      <div key={output} className="min-w-0">
        {children(output)}
      </div>
    ))}
  </li>
)

interface TimingSelectProps {
  output: AlertOutput
  title: string
  /** Null: notices differ. */
  timing: AlertTiming | null
  onChange: (timing: string) => void
}

const TimingSelect = ({ output, title, timing, onChange }: TimingSelectProps) => (
  <label className="flex items-center gap-2">
    <span className="w-11 shrink-0 text-12 text-quiet">{outputLabels[output]}</span>
    <Select
      aria-label={`${title}, ${outputLabels[output].toLowerCase()}`}
      className="min-w-0 flex-1"
      options={timing === null ? [{ value: '', label: 'Various' }, ...timings] : timings}
      value={timing ?? ''}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
)
