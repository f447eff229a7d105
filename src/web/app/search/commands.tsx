import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  Bookmark,
  CircleUser,
  DoorOpen,
  Download,
  Moon,
  Plus,
  Search,
  ShieldCheck,
  Sun,
  SunMoon,
  Zap,
} from 'lucide-react'
import { useState } from 'react'
import { analyticsRoutes } from '#contract/analytics.ts'
import { noticeWords } from '#contract/notice-words.ts'
import { noticeRoutes } from '#contract/notices.ts'
import { parseKeyBeginning, parseWholeKey } from '#contract/whole-key.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { noticeIcons } from '#web/app/notices-list.tsx'
import type { useScreens } from '#web/app/use-screens.ts'
import { signOut } from '#web/app/session.ts'
import { chooseTheme, shownTheme, switchTheme } from '#web/app/theme.ts'
import { exportReport } from '#web/features/dashboard/export-report.ts'
import { formatCount } from '#web/lib/money.ts'
import { useStore } from '#web/lib/store.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { useCan, useCanCall, usePermissions } from '#web/use-can.ts'
import { toast } from '#web/ui/toast.ts'
import { viewsQuery } from '#web/views/queries.ts'
import { linkToView } from '#web/views/view-link.tsx'
import { foldText } from './match-text.ts'
import { Highlight } from './highlight.tsx'
import type { Entry, Group } from './entries.ts'
import { places } from './places.ts'

/** Passed down by the shell, which already has them. */
export type ScreenList = ReturnType<typeof useScreens>

interface Command extends Pick<Entry, 'icon' | 'link' | 'run'> {
  label: string
  /** Where the label may be that of another command. */
  key?: string
  /** Other words that find it. */
  words?: string
  /** False for a risky command, which never comes before search results. */
  isMeant?: boolean
  /** False for what the admin may not do. */
  isOffered?: boolean
}

const screenWords: Partial<Record<string, string>> = {
  Dashboard: 'home analytics figures',
  'User Management': 'members ban unban',
  Orders: 'payments bank transfers',
  Reconciliation: 'bank accounts statements import lines',
  'Token Management': 'earning fractions',
  Transactions: 'chain blockchain monitoring hash',
  'KYC Reviews': 'verifications submissions identity',
  'KYC Webhooks': 'provider attempts test',
  'Security Logs': 'events audit admin actions',
  Operators: 'admins roles permissions invite disable access',
}

function signOutWithToast(client: QueryClient) {
  signOut(client).catch((error: unknown) => {
    toast({ tone: 'destructive', title: 'Error', description: describeError(error, 'Failed to sign out') })
  })
}

/** Listed only where something is typed, so that they crowd out nothing. */
function usePlaces(typed: string): Command[] {
  const permissions = usePermissions()
  return places.map(({ label, icon: Icon, link, words, needs }) => ({
    label,
    icon: <Icon aria-hidden />,
    link: <Link {...link} />,
    words: `go to ${words}`,
    isOffered: typed !== '' && (needs === null || permissions.has(needs)),
  }))
}

/** Saved views, whose screens the sidebar shows only where they are open. */
function useViews(typed: string): Command[] {
  const { data } = useQuery({ ...viewsQuery(), enabled: typed !== '' })
  return (data?.views ?? []).map((view) => ({
    label: view.name,
    icon: <Bookmark aria-hidden />,
    link: <Link {...linkToView(view)} />,
    words: 'go to saved view',
    key: `view-${view.id}`,
    isOffered: typed !== '',
  }))
}

/** Screens only where something is typed: the sidebar lists them. */
function useCommands(typed: string, screens: ScreenList): Command[] {
  const client = useQueryClient()
  const isDark = useStore(shownTheme) === 'dark'
  return [
    ...(typed === '' ? [] : screens).map(({ label, icon: Icon, link }) => ({
      label,
      icon: <Icon aria-hidden />,
      link: <Link {...link} />,
      words: `go to ${screenWords[label] ?? ''}`,
    })),
    {
      label: 'Start KYC Review',
      icon: <ShieldCheck aria-hidden />,
      link: <Link {...paths.kyc({ review: 'next' })} />,
      words: 'approve reject next pending',
      isOffered: useCan('kyc.decide'),
    },
    ...useViews(typed),
    ...usePlaces(typed),
    {
      label: 'Add Token',
      icon: <Plus aria-hidden />,
      link: <Link {...paths.tokens({ add: 'true' })} />,
      words: 'new create',
      isOffered: useCan('tokens.manage'),
    },
    {
      label: 'Export Report',
      icon: <Download aria-hidden />,
      run: () => void exportReport(client),
      words: 'csv',
      isOffered: useCanCall(analyticsRoutes.report),
    },
    {
      label: 'Account',
      icon: <CircleUser aria-hidden />,
      link: <Link {...paths.account()} />,
      words: 'go to my profile sessions devices password sign-in',
    },
    {
      label: isDark ? 'Switch to Light Theme' : 'Switch to Dark Theme',
      icon: isDark ? <Sun aria-hidden /> : <Moon aria-hidden />,
      run: switchTheme,
      words: 'mode colours',
    },
    {
      label: "Use the System's Theme",
      icon: <SunMoon aria-hidden />,
      run: () => chooseTheme('system'),
      words: 'mode colours',
    },
    {
      label: 'Sign Out',
      icon: <DoorOpen aria-hidden />,
      run: () => signOutWithToast(client),
      words: 'log out logout leave',
      isMeant: false,
    },
  ]
}

/** Each typed word begins a word of the command. */
function matchesCommand({ label, words = '' }: Command, typed: string) {
  const known = ` ${foldText(`${label} ${words}`)}`
  return foldText(typed)
    .split(/\s+/)
    .every((word) => known.includes(` ${word}`))
}

const buildKey = (label: string) => `command-${label.replace(/\W+/g, '-')}`

/** What waits for somebody, as the bell says it, with the list that shows it. */
export function useWaitingGroup(): Group {
  const { data } = useQuery(buildQuery(noticeRoutes.list))
  const entries = (data?.notices ?? []).map(({ kind, count }) => {
    const Icon = noticeIcons[kind]
    const { words, to, search } = noticeWords[kind]
    return {
      key: `waiting-${kind}`,
      icon: <Icon aria-hidden />,
      title: `${formatCount(count)} ${count === 1 ? words[0] : words[1]}`,
      link: <Link to={to} search={search} />,
    }
  })
  return { label: 'Waiting', entries }
}

/** The changes whose buttons are in sight: of Peek, else of the active row, else of the page outside of its table. */
function findChanges() {
  const part = document.querySelector('[data-peek]') ?? document.querySelector('main tr[aria-current]')
  const buttons = [...(part ?? document).querySelectorAll<HTMLButtonElement>('button[data-change]:not(:disabled)')]
  return buttons
    .filter((button) => button.checkVisibility() && (part !== null || !button.closest('tbody, header')))
    .map((button) => {
      const words = [...button.childNodes].filter(({ nodeName }) => nodeName !== 'KBD')
      const label = button.ariaLabel ?? words.map(({ textContent }) => textContent).join('')
      return { button, label: label.trim(), hotkey: button.querySelector('kbd')?.textContent }
    })
}

/** What the page lets an operator do to what is in sight, as its own buttons would, with their keys. */
export function useChangeGroup(typed: string): Group {
  // The popup is closed before the page or the row changes.
  const [changes] = useState(findChanges)
  const matching = changes.filter(({ label }) => matchesCommand({ label, icon: null }, typed))
  return {
    label: 'On this page',
    entries: matching.map(({ button, label, hotkey }, at) => ({
      key: `change-${at}`,
      icon: <Zap aria-hidden />,
      title: <Highlight text={label} typed={typed} />,
      aside: hotkey && <kbd>{hotkey}</kbd>,
      run: () => {
        button.focus()
        button.click()
      },
    })),
  }
}

/** Every matching screen and action. `isMeant` says whether the name of one begins with the typed text. */
export function useCommandGroup(typed: string, screens: ScreenList): Group & { isMeant: boolean } {
  const wanted = foldText(typed)
  const isMeant = ({ label, isMeant: isEver = true }: Command) => isEver && foldText(label).startsWith(wanted)
  const matching = useCommands(typed, screens).filter(
    ({ isOffered = true, ...command }) => isOffered && matchesCommand(command, typed),
  )
  const commands =
    typed === '' ? matching : matching.toSorted((one, other) => Number(isMeant(other)) - Number(isMeant(one)))
  return {
    label: typed === '' ? 'Actions' : 'Screens and actions',
    isMeant: typed.length > 1 && commands.some(isMeant),
    entries: commands.map(({ label, key = buildKey(label), icon, link, run }) => ({
      key,
      icon,
      title: <Highlight text={label} typed={typed} />,
      ...(link && { link }),
      ...(run && { run }),
    })),
  }
}

/** The lists that can be searched for what was typed, and that the admin may view. */
export function useListGroup(typed: string): Group {
  const granted = usePermissions()
  const key = parseKeyBeginning(typed)
  const isWhole = parseWholeKey(typed) !== null
  const lists = [
    {
      label: 'Search User Management for',
      link: <Link {...paths.members({ search: typed })} />,
      isOffered: !isWhole && granted.has('members.view'),
    },
    {
      label: 'Search Orders for',
      link: <Link {...paths.orders({ search: typed })} />,
      isOffered: !isWhole && granted.has('orders.view'),
    },
    {
      label: 'Search Transactions for',
      link: <Link {...paths.transactions({ search: key ?? '' })} />,
      isOffered: key !== null && granted.has('transactions.view'),
    },
  ].filter(({ isOffered }) => isOffered)
  return {
    label: 'Search in a list',
    entries: lists.map(({ label, link }) => ({
      key: `list-${buildKey(label)}`,
      icon: <Search aria-hidden />,
      title: (
        <>
          {label} <bdi>“{typed}”</bdi>
        </>
      ),
      link,
    })),
  }
}
