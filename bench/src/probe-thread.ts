import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { LoadClient, type LoadRequest } from './load-client.ts'

/** What runs in a thread of its own: says once that it has begun, and how long each request took when it is told to end. */

/** The server that is asked, and the table of which records are read and in which they are made. */
export interface ProbeTask {
  readonly url: string
  readonly token: string
  readonly tableId: string
}

/** Milliseconds that each request took, by kind. */
export type ProbeReport = ReadonlyMap<string, readonly number[]>

/** Milliseconds between two requests of one kind: they are to see others' work, not to be work. */
const pauseMs = 5

const { url, token, tableId } = workerData as ProbeTask
const path = `/api/table/${tableId}/record`
/** Each kind on a connection of its own, one after another. */
const requests = new Map<string, LoadRequest>([
  ['read elsewhere', { method: 'GET', path: `${path}?take=10` }],
  ['health', { method: 'GET', path: '/health' }],
  [
    'create elsewhere',
    { method: 'POST', path, body: JSON.stringify({ records: [{ fields: { 'Field 1': 7 } }] }) },
  ],
])

let isEnding = false
parentPort?.once('message', () => {
  isEnding = true
})
const waits = new Map<string, number[]>()
const probes = await Promise.all(
  [...requests].map(async ([kind, request]) => {
    const client = new LoadClient({ url, connections: 1, token })
    // The first one opens the connection.
    await client.send(request)
    const times: number[] = []
    waits.set(kind, times)
    return { client, request, times }
  }),
)
parentPort?.postMessage(waits)
await Promise.all(
  probes.map(async ({ client, request, times }) => {
    do {
      times.push(await client.time(request))
      await pause(pauseMs)
    } while (!isEnding)
    await client.close()
  }),
)
parentPort?.postMessage(waits)
