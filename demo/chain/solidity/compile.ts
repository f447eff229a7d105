import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import solc from 'solc'

/** Solidity's standard JSON, as far as it is read here. */
interface CompiledContract {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<
    string,
    Record<string, { abi: object[]; evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>
  >
}

const names = ['DemoToken', 'Multicall3'] as const

/** What a local chain needs of each contract: made from the sources alone, and the same wherever it is made. */
export async function compile() {
  const contents = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, `${name}.sol`), 'utf8')))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(names.map((name, at) => [`${name}.sol`, { content: contents[at] }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // The hash of the metadata would change with every comment.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as CompiledContract
  const problem = errors.find(({ severity }) => severity === 'error')
  if (problem) throw new Error(problem.formattedMessage)
  const { abi, evm } = contracts!['DemoToken.sol']!['DemoToken']!
  const multicall3 = contracts!['Multicall3.sol']!['Multicall3']!.evm.deployedBytecode.object
  return { demoToken: { abi, bytecode: `0x${evm.bytecode.object}` }, multicall3: { code: `0x${multicall3}` } }
}

/** `node demo/chain/solidity/compile.ts` writes the artifact again. */
if (import.meta.main) {
  await writeFile(join(import.meta.dirname, 'artifact.json'), `${JSON.stringify(await compile(), null, 2)}\n`)
}
