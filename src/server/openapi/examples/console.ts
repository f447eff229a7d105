import type { SecurityEvent } from '#contract/schemas/security.ts'
import type { ExamplesOf } from './example-types.ts'
import { treasuryWallet } from './treasury.ts'
import { at, contract, hash, later, memberId, order, orderNumber, page, token, user, wallet, who } from './samples.ts'

export const orders: ExamplesOf<'orders'> = {
  list: {
    query: { status: 'paid', search: 'ORD-10' },
    reply: { orders: [{ ...order, waitingLines: 0, waitingApprovals: [] }], ...page },
  },
  detail: { params: { id: order.id }, reply: { order } },
  setStatus: {
    params: { id: order.id },
    body: { status: 'paid', notes: 'Bank reference 8841' },
    reply: { message: 'Order marked as paid', order },
  },
}

export const tokens: ExamplesOf<'tokens'> = {
  list: { params: { kind: 'earning' }, reply: [token] },
  create: {
    params: { kind: 'earning' },
    body: { projectName: 'Solar Park', tokenSymbol: 'SOLAR', contractAddress: contract, decimals: 18, isActive: true },
    reply: { message: 'Token created', token },
  },
  setActive: {
    params: { kind: 'earning', id: token.id },
    body: { isActive: false },
    reply: { message: 'Token deactivated', token: { ...token, isActive: false, version: 2 } },
  },
}

const movement = { id: 't-1', type: 'deposit', amount: '250.00', status: 'completed', createdAt: at } as const
export const transactions: ExamplesOf<'transactions'> = {
  monitor: {
    query: { type: 'deposit', status: 'completed', from: '2026-01-01', to: '2026-01-31', timeZone: 'Europe/Lisbon' },
    reply: {
      transactions: [
        {
          id: '9',
          transactionHash: hash,
          logIndex: 3,
          blockNumber: 74_210_377,
          transactionType: 'deposit',
          type: 'deposit',
          amount: '10.5',
          tokenSymbol: 'SOLAR',
          tokenAddress: contract,
          status: 'completed',
          walletAddress: wallet,
          userId: memberId,
          user: who,
          counterparty: { address: treasuryWallet.address, user: null, label: treasuryWallet.label },
          createdAt: at,
        },
      ],
      ...page,
    },
  },
  figures: {
    reply: {
      total: 3,
      completed: 1,
      pending: 1,
      failed: 1,
      volumes: [{ tokenAddress: contract, tokenSymbol: 'SOLAR', volume: '10.5' }],
      tokens: 1,
    },
  },
  list: {
    query: { type: 'deposit', created: 'today', timeZone: 'Europe/Lisbon' },
    reply: { transactions: [{ ...movement, user: who }], ...page },
  },
}

export const wallets: ExamplesOf<'wallets'> = {
  balance: {
    params: { walletAddress: wallet },
    reply: {
      totalBalance: '22.5',
      tokens: [{ tokenSymbol: 'SOLAR', balance: '22.5' }],
      nativeBalance: '0.042',
      blockNumber: '45120391',
      blockAt: '2026-01-05T09:07:00.000Z',
      isOld: false,
      chainId: 56,
      partial: false,
      failed: [],
    },
  },
}

export const chain: ExamplesOf<'chain'> = {
  health: {
    reply: {
      mode: 'rpc',
      network: 'BNB Smart Chain',
      chainId: 56,
      indexer: 'ok',
      problem: null,
      headBlock: 45120391,
      headAt: later,
      indexedBlock: 45120374,
      lagBlocks: 17,
      lagSeconds: 8,
      backfilling: 0,
      pendingAboveHead: 0,
      checkedAt: later,
      providers: [{ host: 'bsc.example.com', isUp: true, problem: null, serves: 'both' }],
    },
  },
  contract: {
    params: { address: contract },
    reply: { state: 'read', name: 'Solar Park', symbol: 'SOLAR', decimals: 18 },
  },
}

const event: SecurityEvent = {
  id: '17',
  severity: 'high',
  eventType: 'login_failed',
  description: '5 failed sign-ins as ada',
  ipAddress: '203.0.113.9',
  resolved: true,
  resolvedBy: 'ada',
  resolvedAt: later,
  resolutionNote: 'My own typing',
  createdAt: at,
  version: 2,
}
export const security: ExamplesOf<'security'> = {
  events: { query: { severity: 'high', resolved: 'true' }, reply: { events: [event], ...page } },
  figures: { reply: { total: 40, critical: 1, high: 6, unresolved: 3 } },
  integrity: {
    reply: {
      account: { name: 'console', level: 'limited' },
      chain: { sealedTo: '1204', sealedAt: later, waiting: 0, waitingSince: null },
      verification: { at, rows: 1180, fault: null, faults: [], badEntries: 0 },
      verifying: null,
      alarms: [
        { output: 'webhook', waiting: 0, lastSentAt: later, failingSince: null, nextTryAt: null, problem: null },
      ],
    },
  },
  verify: {
    reply: {
      message: 'The audit log is verified now',
      verifying: { requestedAt: later, requestedBy: 'ada', progress: null },
    },
  },
  resolve: {
    params: { id: event.id },
    body: { note: 'My own typing' },
    reply: { message: 'Security event resolved', event, resolved: 1 },
  },
  logs: {
    query: { action: 'ban_user' },
    reply: {
      logs: [
        {
          id: '204',
          action: 'ban_user',
          actor: 'ada',
          targetType: 'user',
          targetId: memberId,
          targetMember: who,
          details: { reason: 'Chargeback fraud' },
          ipAddress: '203.0.113.9',
          createdAt: later,
        },
      ],
      ...page,
    },
  },
}

export const notices: ExamplesOf<'notices'> = { list: { reply: { notices: [{ kind: 'expiring_orders', count: 3 }] } } }

const { investmentAmount, currency, status } = order
const found = {
  members: [
    {
      id: memberId,
      name: 'Ana Lima',
      email: user.email,
      membershipId: user.membershipId,
      phone: null,
      kycStatus: user.kycStatus,
      kycBanned: user.kycBanned,
    },
  ],
  orders: [
    {
      id: order.id,
      orderNumber,
      projectName: 'Solar Park',
      userId: memberId,
      userName: 'Ana Lima',
      iban: null,
      status,
      investmentAmount,
      currency,
    },
  ],
  bankLines: [
    {
      id: '7',
      accountId: '2',
      accountName: 'Giro',
      bookedOn: '2026-01-05',
      direction: 'credit' as const,
      amount: '1500.00',
      currency: 'EUR',
      state: 'open' as const,
      payer: { name: 'ANA LIMA', account: 'DE02120300000000202051' },
      text: `Investment ${orderNumber}`,
      references: [],
    },
  ],
  notes: [
    {
      id: '7',
      userId: 'm-1041',
      userName: 'Ana Lima',
      order: null,
      text: 'Pays from a joint account. Deed seen.',
      author: 'ada',
      createdAt: '2026-01-06T09:00:00.000Z',
    },
  ],
  platformTransactions: [],
  transactions: [],
  tokens: [],
}

export const search: ExamplesOf<'search'> = {
  search: { query: { q: 'lima' }, reply: found },
  recent: { query: { members: memberId, orders: order.id }, reply: found },
}

const csv = { query: { search: 'lima' } }
export const exports: ExamplesOf<'exports'> = {
  ready: { query: { list: 'orders', filters: 'status=paid' } },
  users: csv,
  orders: { query: { status: 'paid' } },
  bankLines: { query: { state: 'open' } },
  notes: { query: { userId: 'm-1041' } },
  bankParts: { query: { from: '2026-01-01', to: '2026-01-31' } },
  bankStatements: { query: { attention: 'gap' } },
  bankImports: { query: { attention: 'unreadable' } },
  earningTokens: {},
  fractionsTokens: {},
  platformTransactions: { query: { userId: memberId } },
  chainTransactions: { query: { status: 'completed' } },
  submissions: csv,
  verifications: csv,
  step2: csv,
  step3: csv,
  step4: csv,
  webhookLogs: { query: { status: 'failed' } },
  deliveries: { query: { state: 'failed' } },
  securityEvents: { query: { severity: 'critical' } },
  adminLogs: { query: { action: 'login' } },
}

export const live: ExamplesOf<'live'> = { stream: {} }

export const openApi: ExamplesOf<'openApi'> = { document: {}, reader: {} }
