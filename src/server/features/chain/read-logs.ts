import { type RpcRequest, RpcError } from '#server/adapters/json-rpc.ts'
import { type CallRpc, type RpcNodes, requireChain, ProvisionalResult } from '#server/adapters/rpc-providers.ts'
import { splitIntoChunks } from '#server/lib/chunks.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Block, blockRequest, hexOf, readBlock } from './blocks.ts'
import { LogsRefusedError, type LogsRefusal, isPossibleLogsRefusal, readRefusal } from './range-size.ts'
import { listedWallets, type WatchedWallets } from './watched-wallets.ts'
import { readTransfer, topicOf, type Transfer, transferTopic } from './transfers.ts'

/** Transfers of these tokens from or to these wallets. */
export interface TransferFilter {
  tokens: readonly string[]
  wallets: WatchedWallets
  /** The same wallets, as requests name them. Undefined where all transfers of the tokens are read and filtered. */
  named: ReadonlySet<string> | undefined
}
export interface BlockRange {
  from: number
  to: number
  /** A block that the node must have. It proves that the logs are from the same chain as before. */
  anchor: Pick<Block, 'number' | 'hash'>
}
export interface RangeTransfers {
  /** The last block of the range, from the same chain as the transfers. */
  end: Block
  transfers: Transfer[]
}

export interface LogReader {
  nodes: RpcNodes
  /** Wallets per request. */
  topicChunk: number
  timeoutMs: number
  deadlineMs: number
}

/** Headers per call, for logs without their time. */
const headersPerCall = 50

/**
 * Reads all transfers of a range of blocks. Splits the filter if a single block is refused. Throws LogsRefusedError if
 * the range has more blocks than any node answers, AppError if no node answers.
 */
export async function readRange(reader: LogReader, range: BlockRange, filter: TransferFilter): Promise<RangeTransfers> {
  const parts =
    filter.named && !isNothingWanted(filter)
      ? splitIntoChunks([...filter.named], reader.topicChunk).map((some) => nameWallets(filter, some))
      : [filter]
  const reads: RangeTransfers[] = []
  for (const part of parts) reads.push(await readPart(reader, range, part))
  return joinParts(reads)
}

/** No request is sent for what nobody wants. */
const isNothingWanted = ({ tokens, named }: TransferFilter) => tokens.length === 0 || named?.size === 0

function nameWallets(filter: TransferFilter, some: readonly string[]): TransferFilter {
  const named = new Set(some)
  return { ...filter, wallets: listedWallets(named), named }
}

async function readPart(reader: LogReader, range: BlockRange, filter: TransferFilter): Promise<RangeTransfers> {
  const { timeoutMs, deadlineMs } = reader
  const read = await reader.nodes.read<RangeTransfers | LogsRefusal>(
    (call) => requestRange(call, reader.nodes.chainId, range, filter),
    { timeoutMs, deadlineMs },
  )
  if ('transfers' in read) return read
  const reads: RangeTransfers[] = []
  if (range.from === range.to)
    for await (const part of splitFilter(filter, reader.topicChunk)) reads.push(await readPart(reader, range, part))
  if (reads.length === 0) throw new LogsRefusedError(read)
  return joinParts(reads)
}

/** Splits the tokens first, then the wallets. */
async function* splitFilter(filter: TransferFilter, topicChunk: number): AsyncIterable<TransferFilter> {
  const { tokens, wallets, named } = filter
  if (tokens.length > 1) yield* splitInHalves(tokens).map((some) => ({ ...filter, tokens: some }))
  else if (!named) for await (const some of wallets.parts(topicChunk)) yield nameWallets(filter, some)
  else if (named.size > 1) yield* splitInHalves([...named]).map((some) => nameWallets(filter, some))
}

const splitInHalves = <T>(list: readonly T[]) => splitIntoChunks(list, Math.ceil(list.length / 2))

/** Joins parts of one range. They may come from different nodes, so they must be from the same chain. */
function joinParts(reads: RangeTransfers[]): RangeTransfers {
  const [first] = reads
  if (!first) throw new Error('a stretch has at least one part')
  if (reads.some(({ end }) => end.hash !== first.end.hash))
    throw new AppError('chain_bad_response', 'The blockchain changed while it was read; it is read again')
  const transfers = new Map<string, Transfer>()
  for (const read of reads)
    for (const transfer of read.transfers) transfers.set(`${transfer.transactionHash}/${transfer.logIndex}`, transfer)
  return { end: first.end, transfers: [...transfers.values()] }
}

function buildLogRequests({ from, to }: Pick<BlockRange, 'from' | 'to'>, filter: TransferFilter): RpcRequest[] {
  if (isNothingWanted(filter)) return []
  const { tokens, named } = filter
  const words = [...(named ?? [])].map(topicOf)
  const filters = named
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
 * Requests the logs together with the header of their last block. A node without that block says so, but would answer
 * its logs with an empty list. If a node refuses the call but answers headers, it refuses the logs, whatever its
 * message says. Another node may answer.
 */
async function requestRange(
  call: CallRpc,
  chainId: number,
  range: BlockRange,
  filter: TransferFilter,
): Promise<RangeTransfers | ProvisionalResult<LogsRefusal>> {
  const { from, to, anchor } = range
  const headers = anchor.number === to ? [to] : [to, anchor.number]
  let answers: unknown[]
  try {
    answers = await call(...headers.map(blockRequest), ...buildLogRequests(range, filter))
  } catch (error) {
    if (!isPossibleLogsRefusal(error) || !(await canReadHeaders(call, range))) throw error
    return new ProvisionalResult(readRefusal(error, to - from + 1), 0, from === to ? 'logs_refused' : null)
  }
  const end = readBlock(answers[0], to)
  const known = headers.length > 1 ? readBlock(answers[1], anchor.number) : end
  if (known.hash !== anchor.hash) {
    await requireChain(call, chainId)
    throw new RpcError('bad_response', 'the node has another chain than was read so far')
  }
  const hashes = new Map([known, end].map((block) => [block.number, block.hash]))
  const transfers = answers.slice(headers.length).flatMap((answer) => readLogs(answer, range, filter, hashes))
  return { end, transfers: await addTimes(call, await keepWanted(transfers, filter), [known, end]) }
}

/** Requests two headers at once, because a node may refuse batches. */
const canReadHeaders = (call: CallRpc, { to, anchor }: BlockRange): Promise<boolean> =>
  call(blockRequest(to), blockRequest(anchor.number)).then(
    () => true,
    () => false,
  )

/**
 * Throws RpcError for an answer that does not fit the request, so that the next node is asked. `hashes` are the hashes
 * of known blocks.
 */
function readLogs(
  answer: unknown,
  { from, to }: BlockRange,
  { tokens }: TransferFilter,
  hashes: Map<number, string>,
): Transfer[] {
  if (!Array.isArray(answer)) throw new RpcError('bad_response', 'the node answers no logs')
  const asked = new Set(tokens)
  const seen = new Set<string>()
  const transfers: Transfer[] = []
  for (const log of answer as unknown[]) {
    const transfer = readTransfer(log)
    if (!transfer) continue
    const { blockNumber, blockHash, logIndex, tokenAddress } = transfer
    const key = `${blockNumber}/${logIndex}`
    const known = hashes.get(blockNumber) ?? blockHash
    if (blockNumber < from || blockNumber > to || known !== blockHash || !asked.has(tokenAddress) || seen.has(key))
      throw new RpcError('bad_response', 'the node answers other logs than were asked for')
    hashes.set(blockNumber, blockHash)
    seen.add(key)
    transfers.push(transfer)
  }
  return transfers
}

async function keepWanted(transfers: Transfer[], { wallets }: TransferFilter): Promise<Transfer[]> {
  const addresses = new Set(transfers.flatMap(({ fromAddress, toAddress }) => [fromAddress, toAddress]))
  const wanted = await wallets.findAmong(addresses)
  return transfers.filter(({ fromAddress, toAddress }) => wanted.has(fromAddress) || wanted.has(toAddress))
}

/** Gives each transfer the time of its block. Reads the header if the log has no plausible time. */
async function addTimes(call: CallRpc, given: Transfer[], known: readonly Block[]): Promise<Transfer[]> {
  const transfers = areTimesPlausible(given, known) ? given : given.map((transfer) => ({ ...transfer, at: undefined }))
  const times = new Map(known.map(({ hash, at }) => [hash, at]))
  const missing = new Map<number, string>()
  for (const { at, blockHash, blockNumber } of transfers)
    if (at === undefined && !times.has(blockHash)) missing.set(blockNumber, blockHash)
  for (const numbers of splitIntoChunks([...missing.keys()], headersPerCall)) {
    const answers = await call(...numbers.map(blockRequest))
    for (const [at, number] of numbers.entries()) {
      const block = readBlock(answers[at], number)
      if (block.hash !== missing.get(number))
        throw new RpcError('bad_response', 'the chain changed while the node answered')
      times.set(block.hash, block.at)
    }
  }
  return transfers.map((transfer) => ({ ...transfer, at: transfer.at ?? times.get(transfer.blockHash) }))
}

/** A block has one time, and it is not earlier than the block before. */
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
