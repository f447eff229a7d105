import { type RpcRequest, RpcError } from '#server/adapters/json-rpc.ts'
import { type Ask, type Providers, requireChain, SecondBest } from '#server/adapters/rpc-providers.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Block, blockRequest, hexOf, readBlock } from './blocks.ts'
import { LogsRefused, type LogsRefusal, mayBeOfLogs, refusalOf } from './refusals.ts'
import { readTransfer, topicOf, type Transfer, transferTopic } from './transfers.ts'

/** Transfers of these tokens to or from these wallets. `isByWallet`: asked for so; else all of the tokens', sorted here. */
export interface Wanted {
  tokens: readonly string[]
  wallets: ReadonlySet<string>
  isByWallet: boolean
}
export interface Stretch {
  from: number
  to: number
  /** A block that the node must have, so that its logs are of the chain that was read before. */
  anchor: Pick<Block, 'number' | 'hash'>
}
export interface StretchRead {
  /** The last block of the stretch, of the same chain as the transfers. */
  end: Block
  transfers: Transfer[]
}

export interface LogReader {
  nodes: Providers
  /** Wallets of one request. */
  topicChunk: number
  timeoutMs: number
  deadlineMs: number
}

/** Headers of one call, where logs come without their time. */
const headersAtOnce = 50

/**
 * All transfers of a stretch of blocks. Throws LogsRefused for more blocks than any node answers, AppError when no node
 * answers. What of a single block is refused is asked for in parts.
 */
export async function readStretch(reader: LogReader, stretch: Stretch, wanted: Wanted): Promise<StretchRead> {
  const isNothingWanted = wanted.tokens.length === 0 || wanted.wallets.size === 0
  const parts =
    wanted.isByWallet && !isNothingWanted
      ? inChunks([...wanted.wallets], reader.topicChunk).map((wallets) => ({ ...wanted, wallets: new Set(wallets) }))
      : [wanted]
  const reads: StretchRead[] = []
  for (const part of parts) reads.push(await readPart(reader, stretch, part))
  return join(reads)
}

async function readPart(reader: LogReader, stretch: Stretch, wanted: Wanted): Promise<StretchRead> {
  const { timeoutMs, deadlineMs } = reader
  const read = await reader.nodes.read<StretchRead | LogsRefusal>(
    (ask) => askStretch(ask, reader.nodes.chainId, stretch, wanted),
    {
      timeoutMs,
      deadlineMs,
    },
  )
  if ('transfers' in read) return read
  const parts = stretch.from === stretch.to ? halvesOf(wanted) : []
  if (parts.length === 0) throw new LogsRefused(read)
  const reads: StretchRead[] = []
  for (const part of parts) reads.push(await readPart(reader, stretch, part))
  return join(reads)
}

/** Fewer tokens, then fewer wallets. */
function halvesOf({ tokens, wallets, isByWallet }: Wanted): Wanted[] {
  if (tokens.length > 1) return inHalves(tokens).map((some) => ({ tokens: some, wallets, isByWallet }))
  if (!isByWallet) return [{ tokens, wallets, isByWallet: true }]
  return wallets.size > 1 ? inHalves([...wallets]).map((some) => ({ tokens, wallets: new Set(some), isByWallet })) : []
}

function inChunks<T>(list: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < list.length; at += size) chunks.push(list.slice(at, at + size))
  return chunks
}

const inHalves = <T>(list: readonly T[]) => inChunks(list, Math.ceil(list.length / 2))

/** Parts of one stretch, which may come from different nodes: they have to be of the same chain. */
function join(reads: StretchRead[]): StretchRead {
  const [first] = reads
  if (!first) throw new Error('a stretch has at least one part')
  if (reads.some(({ end }) => end.hash !== first.end.hash))
    throw new AppError('chain_bad_response', 'The blockchain changed while it was read; it is read again')
  const transfers = new Map<string, Transfer>()
  for (const read of reads)
    for (const transfer of read.transfers) transfers.set(`${transfer.transactionHash}/${transfer.logIndex}`, transfer)
  return { end: first.end, transfers: [...transfers.values()] }
}

function logRequests(
  { from, to }: Pick<Stretch, 'from' | 'to'>,
  { tokens, wallets, isByWallet }: Wanted,
): RpcRequest[] {
  if (tokens.length === 0 || wallets.size === 0) return []
  const words = isByWallet ? [...wallets].map(topicOf) : []
  const filters = isByWallet
    ? [
        [transferTopic, null, words],
        [transferTopic, words],
      ]
    : [[transferTopic]]
  return filters.map((topics) => ({
    method: 'eth_getLogs',
    params: [{ fromBlock: hexOf(from), toBlock: hexOf(to), address: tokens, topics }],
  }))
}

/**
 * Logs travel in one call with the header of their last block: a node that lacks that block says so, while it answers
 * logs of blocks that it lacks with none at all. A node that refuses the call, but answers headers, refuses the logs,
 * whatever its words: another node may not.
 */
async function askStretch(
  ask: Ask,
  chainId: number,
  stretch: Stretch,
  wanted: Wanted,
): Promise<StretchRead | SecondBest<LogsRefusal>> {
  const { from, to, anchor } = stretch
  const headers = anchor.number === to ? [to] : [to, anchor.number]
  let answers: unknown[]
  try {
    answers = await ask(...headers.map(blockRequest), ...logRequests(stretch, wanted))
  } catch (error) {
    if (!mayBeOfLogs(error) || !(await answersHeaders(ask, stretch))) throw error
    return new SecondBest(refusalOf(error, to - from + 1), 0, from === to ? 'logs_refused' : null)
  }
  const end = readBlock(answers[0], to)
  const known = headers.length > 1 ? readBlock(answers[1], anchor.number) : end
  if (known.hash !== anchor.hash) {
    await requireChain(ask, chainId)
    throw new RpcError('bad_response', 'the node has another chain than was read so far')
  }
  const hashes = new Map([known, end].map((block) => [block.number, block.hash]))
  const transfers = answers.slice(headers.length).flatMap((answer) => readLogs(answer, stretch, wanted, hashes))
  return { end, transfers: await withTimes(ask, transfers, [known, end]) }
}

/** Two at once, since a node may refuse batches. */
const answersHeaders = (ask: Ask, { to, anchor }: Stretch): Promise<boolean> =>
  ask(blockRequest(to), blockRequest(anchor.number)).then(
    () => true,
    () => false,
  )

/**
 * Refuses what can't be the answer to this question, so that the next node is asked; keeps what is of these wallets.
 * `hashes` are those of known blocks.
 */
function readLogs(
  answer: unknown,
  { from, to }: Stretch,
  { tokens, wallets }: Wanted,
  hashes: Map<number, string>,
): Transfer[] {
  if (!Array.isArray(answer)) throw new RpcError('bad_response', 'the node answers no logs')
  const asked = new Set(tokens)
  const seen = new Set<string>()
  const transfers: Transfer[] = []
  for (const log of answer as unknown[]) {
    const transfer = readTransfer(log)
    if (!transfer) continue
    const { blockNumber, blockHash, logIndex, tokenAddress, fromAddress, toAddress } = transfer
    const key = `${blockNumber}/${logIndex}`
    const known = hashes.get(blockNumber) ?? blockHash
    if (blockNumber < from || blockNumber > to || known !== blockHash || !asked.has(tokenAddress) || seen.has(key))
      throw new RpcError('bad_response', 'the node answers other logs than were asked for')
    hashes.set(blockNumber, blockHash)
    seen.add(key)
    if (wallets.has(fromAddress) || wallets.has(toAddress)) transfers.push(transfer)
  }
  return transfers
}

/** Gives each transfer its block's time, from the block's header where the node says none with its logs that can be. */
async function withTimes(ask: Ask, given: Transfer[], known: readonly Block[]): Promise<Transfer[]> {
  const transfers = areTimesPlausible(given, known) ? given : given.map((transfer) => ({ ...transfer, at: undefined }))
  const times = new Map(known.map(({ hash, at }) => [hash, at]))
  const missing = new Map<number, string>()
  for (const { at, blockHash, blockNumber } of transfers)
    if (at === undefined && !times.has(blockHash)) missing.set(blockNumber, blockHash)
  for (const numbers of inChunks([...missing.keys()], headersAtOnce)) {
    const answers = await ask(...numbers.map(blockRequest))
    for (const [at, number] of numbers.entries()) {
      const block = readBlock(answers[at], number)
      if (block.hash !== missing.get(number))
        throw new RpcError('bad_response', 'the chain changed while the node answered')
      times.set(block.hash, block.at)
    }
  }
  return transfers.map((transfer) => ({ ...transfer, at: transfer.at ?? times.get(transfer.blockHash) }))
}

/** A block has one time, and it is not before that of the block before. */
function areTimesPlausible(transfers: readonly Transfer[], known: readonly Block[]): boolean {
  const times = [
    ...known.map(({ number, at }) => ({ number, at })),
    ...transfers.flatMap(({ blockNumber, at }) => (at === undefined ? [] : [{ number: blockNumber, at }])),
  ].toSorted((one, next) => one.number - next.number)
  return times.every(({ number, at }, n) => {
    const before = times[n - 1]
    return !before || (before.number === number ? before.at === at : before.at <= at)
  })
}
