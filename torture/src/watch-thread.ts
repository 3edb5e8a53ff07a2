import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { processorWaitsMs } from './processor-waits.ts'
import type { WatchedTime, WatchedTimes, WatchOrder } from './watcher.ts'

/** Milliseconds between two requests of one kind. */
const everyMs = 25

/** Milliseconds after which an answer counts as none. */
const patienceMs = 60_000

const { url, token, path, processId } = workerData as WatchOrder
const agent = new Agent({ keepAlive: true })
let isOver = false

function timeOf(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<WatchedTime | undefined> {
  const startedMs = performance.now()
  const waitedBeforeMs = processorWaitsMs(processId)
  const time = () => {
    const wholeMs = performance.now() - startedMs
    const waitedMs = processorWaitsMs(processId) - waitedBeforeMs
    return { wholeMs, ownMs: Math.max(0, wholeMs - waitedMs) }
  }
  return new Promise((resolve) => {
    const request = get(address, { agent, headers, timeout: patienceMs }, (response) => {
      response.resume()
      response.once('error', () => resolve(undefined))
      response.once('end', () => {
        resolve(response.statusCode === 200 ? time() : undefined)
      })
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(undefined))
  })
}

async function watch(address: string, headers: Readonly<Record<string, string>>) {
  const times: (WatchedTime | undefined)[] = []
  while (!isOver) {
    times.push(await timeOf(address, headers))
    await pause(everyMs)
  }
  return times
}

parentPort?.once('message', () => {
  isOver = true
})
const [health, read] = await Promise.all([
  watch(`${url}/health`, {}),
  watch(`${url}${path}`, { Authorization: `Bearer ${token}` }),
])
agent.destroy()
parentPort?.postMessage({ health, read } satisfies WatchedTimes)
