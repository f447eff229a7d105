import { treasuryTexts } from '#contract/treasury.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, contract } from './samples.ts'

export const treasuryWallet = {
  id: '2',
  address: '0x28c6c06298d514db089934071355e5743bf21d60',
  label: 'Payout wallet',
  memberId: null,
  createdAt: at,
  createdBy: 'ada',
  version: 1,
}
const treasuryState = {
  isChainOn: true,
  reading: {
    blockNumber: 74_210_362,
    blockAt: at,
    readAt: at,
    wallets: 1200,
    tokens: [
      {
        contractAddress: contract,
        tokenSymbol: 'SOLAR',
        projectName: 'Solar Park',
        members: '250000.5',
        holders: 840,
        own: '1000',
        ownWallets: [{ address: treasuryWallet.address, balance: '1000' }],
        supply: '1000000',
        membersShare: '25.00',
        ownShare: '0.1',
        problem: null,
      },
    ],
  },
  failure: null,
  wallets: [treasuryWallet],
}
export const treasury: ExamplesOf<'treasury'> = {
  read: { reply: treasuryState },
  refresh: { reply: treasuryState },
  addWallet: {
    body: { address: treasuryWallet.address, label: treasuryWallet.label },
    reply: { message: treasuryTexts.added, wallet: treasuryWallet },
  },
  updateWallet: {
    params: { id: '2' },
    body: { label: 'Payout wallet 2' },
    reply: { message: treasuryTexts.saved, wallet: { ...treasuryWallet, label: 'Payout wallet 2', version: 2 } },
  },
  removeWallet: { params: { id: '2' }, reply: { message: treasuryTexts.removed } },
}
