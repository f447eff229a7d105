import type { GroupName, NamedRoute } from '#contract/schemas/routes.ts'

/** The two groups of calls: for the platform's server, and for operators' browsers. */
export const apiGroups = [
  {
    name: 'Platform API',
    description:
      'Server to server, for the investment platform. Authenticate with `Authorization: Bearer <key>`; a key is made with `npm run admin -- key create <name>`, and may do what its scopes allow (`x-scopes` of each call). All writes are idempotent upserts by your own ids: a repeated call changes nothing, and an absent optional field never changes a stored value. What an operator has decided cannot be rewritten from outside: a differing call answers 409.',
  },
  {
    name: 'Console API',
    description:
      'What the console itself calls, for operators and their tools. Authenticate with the session cookie that `POST /api/auth/login` sets. Lists have a stable order, an exact total and at most 1,000 rows a page. Send the `version` that you saw as `If-Match` with a change, and a change made on an outdated view is refused with `stale` instead of done.',
  },
] as const

const platformTags = {
  Members: 'Members with their wallets, as the platform knows them.',
  'Identity checks': 'Identity pictures, the steps of KYC, and the provider’s answer.',
  Investments: 'Orders, movements on accounts, fractions and tokens.',
  Bank: 'Statement files of the bank, for the orders that wait for money.',
  Import: 'Many rows at once, for moving in.',
} as const
const platformTagOf: Record<string, keyof typeof platformTags> = {
  saveMember: 'Members',
  eraseMember: 'Members',
  member: 'Members',
  saveWallet: 'Members',
  saveDocument: 'Identity checks',
  saveKyc: 'Identity checks',
  kycResults: 'Identity checks',
  bankStatements: 'Bank',
  import: 'Import',
}

const consoleTags: Record<Exclude<GroupName, 'platform'>, [name: string, description: string]> = {
  members: ['Console: members', 'Members as operators see and decide them.'],
  kycReviews: ['Console: KYC', 'Verifications, submissions and the cases that operators take up.'],
  kycWebhooks: ['Console: KYC webhooks', 'Attempts to hand cases to the KYC provider.'],
  messages: ['Console: messages', 'Every message out and in, with its tries.'],
  endpoints: ['Console: endpoints', 'Where events of the platform go, and what signs them.'],
  documents: ['Console: documents', 'Viewing identity documents by short-lived tokens.'],
  orders: ['Console: orders', 'Orders, and marking them paid or cancelled.'],
  peek: ['Console: peek', 'A member or an order at a glance.'],
  activity: ['Console: activity', 'What happened to a member or an order.'],
  notes: ['Console: notes', 'What operators write on members and orders. The platform never gets it.'],
  views: ['Console: saved views', 'Filters and order of a list under a name, own or shared.'],
  templates: ['Console: templates of reasons', 'Reasons of rejections under a name, own or shared, by language.'],
  bank: ['Console: bank', 'Bank accounts, statement files, statements and their lines.'],
  allocations: ['Console: bank allocations', 'What bank lines pay, and why; applying them, and undoing that.'],
  tokens: ['Console: tokens', 'Earning and fractions tokens.'],
  transactions: ['Console: transactions', 'Transfers on the chain and movements on accounts.'],
  treasury: ['Console: treasury', 'What members and the platform hold of each token on the chain.'],
  wallets: ['Console: wallets', 'What a wallet holds on the chain.'],
  chain: ['Console: chain', 'How far the chain is read, and what contracts say of themselves.'],
  security: ['Console: security', 'Security events and the audit log.'],
  analytics: ['Console: analytics', 'The dashboard’s figures.'],
  notices: ['Console: notices', 'What waits for an operator.'],
  search: ['Console: search', 'The global search.'],
  exports: ['Console: exports', 'Whole lists as CSV.'],
  live: ['Console: live', 'Which lists changed, as they change.'],
  auth: ['Console: session', 'Signing in and out.'],
  sessionEndings: ['Console: ended sessions', 'Why the session of a browser has ended.'],
  oidc: [
    'Console: single sign-on',
    'Signing in, confirming and linking an account by the OpenID provider of the settings.',
  ],
  factors: ['Console: second factors', 'Passkeys, authenticator apps and recovery codes of the signed-in admin.'],
  account: ['Console: account', 'The signed-in admin’s own account.'],
  accountSecurity: ['Console: account security', 'The signed-in admin’s own sessions and password.'],
  alerts: ['Console: alerts', 'Where alerts of the signed-in admin go, and which.'],
  operators: ['Console: operators', 'Who may sign in, and their roles.'],
  approvals: ['Console: approvals', 'Changes that wait for a second operator, and the rules that say which do.'],
  bulk: ['Console: bulk jobs', 'One action over many rows of a list, each done, skipped or failed by itself.'],
  openApi: ['Console: description', 'This description itself; a platform key opens it too.'],
}

export const eventsTag = 'Messages we send'

export const tags = [
  ...Object.entries(platformTags).map(([name, description]) => ({ name, description })),
  {
    name: eventsTag,
    description:
      'Signed by Standard Webhooks, delivered at least once and in order per entity. Answer 2xx quickly, and tell repeated ones by `webhook-id`.',
  },
  ...Object.values(consoleTags).map(([name, description]) => ({ name, description })),
]

export const tagGroups = [
  { ...apiGroups[0], tags: [...Object.keys(platformTags), eventsTag] },
  { ...apiGroups[1], tags: Object.values(consoleTags).map(([name]) => name) },
]

export const readTag = ({ group, key }: NamedRoute): string =>
  group === 'platform' ? (platformTagOf[key] ?? 'Investments') : consoleTags[group][0]
