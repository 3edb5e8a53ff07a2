import { setTimeout as pause } from 'node:timers/promises'
import type { Ours } from './contenders.ts'
import { LoadClient, type LoadRequest } from './load-client.ts'

/** Milliseconds between two requests of one kind: they are to see others' work, not to be work. */
const pauseMs = 5

/** Requests that somebody else sends: each kind on a connection of its own, one after another. */
function requestsOf(tableId: string): ReadonlyMap<string, LoadRequest> {
  const path = `/api/table/${tableId}/record`
  const body = JSON.stringify({ records: [{ fields: { 'Field 1': 7 } }] })
  return new Map<string, LoadRequest>([
    ['read elsewhere', { method: 'GET', path: `${path}?take=10` }],
    ['health', { method: 'GET', path: '/health' }],
    ['create elsewhere', { method: 'POST', path, body }],
  ])
}

/** Milliseconds that each request took, by kind, for as long as the work lasts. */
export async function probeWhile(
  { url, token }: Ours,
  tableId: string,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  let isDone = false
  const waits = new Map<string, number[]>()
  const probes = [...requestsOf(tableId)].map(async ([kind, request]) => {
    const client = new LoadClient({ url, connections: 1, token })
    // The first one opens the connection.
    await client.send(request)
    const times: number[] = []
    waits.set(kind, times)
    do {
      times.push(await client.time(request))
      await pause(pauseMs)
    } while (!isDone)
    await client.close()
  })
  try {
    await work()
  } finally {
    isDone = true
    await Promise.all(probes)
  }
  return waits
}
