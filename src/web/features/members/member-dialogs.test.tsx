// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Member } from '#contract/schemas/members.ts'
import { shownToast } from '#web/ui/toast.ts'
import BanDialog from './ban-dialog.tsx'
import KycDialog from './kyc-dialog.tsx'

afterEach(() => {
  cleanup()
  shownToast.set(null)
})

const ana: Member = {
  id: '7',
  email: 'ana@example.com',
  legalFirstName: 'Ana',
  legalLastName: 'Lima',
  legalPhone: null,
  membershipId: null,
  kycStatus: null,
  kycBanned: false,
  bannedReason: null,
  kycCompleted: false,
  kycCurrentStep: 1,
  kycDocumentType: null,
  kycSubmissionCount: 0,
  kycFrontDocumentUrl: null,
  kycBackDocumentUrl: null,
  kycSelfieUrl: null,
  erasedAt: null,
  createdAt: '2026-03-01T10:00:00.000Z',
  version: 1,
}

const reply = (content: object, status = 200) => Promise.resolve(Response.json(content, { status }))

/** Opens a dialog beside a console that refuses its change, since the member was changed meanwhile. Gives what was sent. */
function renderDialog(dialog: ReactNode, changed: Partial<Member> = {}) {
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body: string | null }) => {
    if (path === '/api/users/7') return reply({ user: { ...ana, version: 2, ...changed } })
    if (method === 'GET') return reply({ rules: [], approvals: [], verifications: [] })
    sent.push(body)
    return reply({ message: 'Somebody was first', code: 'conflict' }, 409)
  })
  render(<QueryClientProvider client={new QueryClient()}>{dialog}</QueryClientProvider>)
  return sent
}
const renderBan = (whenEmpty: 'cancel' | 'refuse', changed?: Partial<Member>) =>
  renderDialog(<BanDialog member={ana} whenEmpty={whenEmpty} onClose={() => {}} />, changed)

const reason = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Reason' })
const ban = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Ban User' })
/** What the reason's field is described by. */
const readDescription = () =>
  (reason().getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')

test('in the list the button is disabled while there is no reason (product 9.5)', async () => {
  renderBan('cancel')
  expect(document.activeElement).toBe(reason())
  expect(ban().disabled).toBe(true)
  await userEvent.keyboard('   ')
  expect(ban().disabled).toBe(true)
  await userEvent.keyboard('Fraud')
  expect(ban().disabled).toBe(false)
})

test('on the page of a member a missing reason is asked for, in its field', async () => {
  const sent = renderBan('refuse')
  await userEvent.click(ban())
  expect(readDescription()).toBe('Ban reason is required')
  expect(reason().getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(reason())
  await userEvent.keyboard('F')
  expect(readDescription()).toBe('')
  expect(sent).toEqual([])
})

test('a reason beyond its limit is told, not cut (product 9.5)', async () => {
  renderBan('cancel')
  await userEvent.click(reason())
  await userEvent.paste('x'.repeat(950))
  expect(readDescription()).toBe('950 of at most 1,000 characters')
  await userEvent.paste('x'.repeat(53))
  expect(readDescription()).toMatch(/shorten it by 3/)
  expect(reason().value).toHaveLength(1003)
  expect(ban().disabled).toBe(true)
})

test('who was banned meanwhile is not banned again (product 7.3)', async () => {
  const sent = renderBan('cancel', { kycBanned: true, bannedReason: 'Seen first' })
  await userEvent.keyboard('Late')
  await userEvent.click(ban())
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Reloaded. This member is banned already: Seen first')
  expect(reason().value).toBe('Late')
  expect(document.activeElement).toBe(reason())
  expect(ban().disabled).toBe(true)
  expect(sent).toEqual(['{"reason":"Late"}'])
})

test('who is decided about meanwhile is not decided about again (product 7.1)', async () => {
  const underReview: Member = { ...ana, kycStatus: 'under_review' }
  const sent = renderDialog(<KycDialog action="reject" member={underReview} sent={null} onClose={() => {}} />, {
    kycStatus: 'approved',
  })
  const typed = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Rejection reason' })
  await userEvent.type(typed, 'Blurred')
  await userEvent.click(screen.getByRole('button', { name: 'Reject' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Reloaded. KYC is now Verified and is decided already.')
  expect(typed.value).toBe('Blurred')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reject' }).disabled).toBe(true)
  expect(sent).toHaveLength(1)
})

test('approving names what is missing, and sends with the second press', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const sent = { personalData: true, documentType: 'id_card', front: true, back: true, selfie: false }
  const calls = renderDialog(<KycDialog action="approve" member={ana} sent={sent} onClose={() => {}} />)
  fireEvent.click(screen.getByRole('button', { name: 'Approve' }))
  expect(screen.getByRole('alert').textContent).toMatch(
    /^Selfie is missing. No document is on screen here. .+ Press again to approve anyway.$/,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Approve anyway' }))
  expect(calls).toEqual([])
  act(() => void vi.advanceTimersByTime(1000))
  vi.useRealTimers()
  fireEvent.click(screen.getByRole('button', { name: 'Approve anyway' }))
  await screen.findByRole('button', { name: 'Reload' })
  expect(calls).toHaveLength(1)
})

test('of who never submitted anything, the dialog says so before it approves', () => {
  renderDialog(<KycDialog action="approve" member={ana} sent={null} onClose={() => {}} />)
  expect(screen.getByText('Nothing was submitted.')).not.toBeNull()
})
