import { Agent, get } from 'node:http'

/** The number of requests answered, refused before sending, and broken off. */
export interface Outcomes {
  answered: number
  refused: number
  broken: string[]
}

/** Clients that request an address over kept-alive connections until it is no longer served. */
export function loadUntilRefused(
  url: string,
  cookie: string,
  clients: number,
): { outcomes: Outcomes; ended: Promise<void> } {
  const outcomes: Outcomes = { answered: 0, refused: 0, broken: [] }
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const problem = await fetchOnce(url, cookie, agent).catch((error: NodeJS.ErrnoException) => error)
      if (problem === undefined) outcomes.answered++
      else if (problem.code === 'ECONNREFUSED') break
      else outcomes.broken.push(`${problem.code}: ${problem.message}`)
    }
    outcomes.refused++
    agent.destroy()
  }
  return { outcomes, ended: Promise.all(Array.from({ length: clients }, client)).then(() => {}) }
}

/** Rejects for an answer that is not whole, and for one that is not 200. */
const fetchOnce = (url: string, cookie: string, agent: Agent) =>
  new Promise<undefined>((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (reply) => {
      reply.on('error', reject).resume()
      reply.on('end', () =>
        reply.statusCode === 200 && reply.complete ? resolve(undefined) : reject(new Error(`HTTP ${reply.statusCode}`)),
      )
    }).on('error', reject)
  })
