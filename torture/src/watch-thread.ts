import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { WatchedTimes, WatchOrder } from './watcher.ts'

/** Milliseconds between two requests of one kind. */
const everyMs = 25

/** Milliseconds after which an answer counts as none. */
const patienceMs = 60_000

const { url, token, path } = workerData as WatchOrder
const agent = new Agent({ keepAlive: true })
let isOver = false

function timeOf(address: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const request = get(address, { agent, headers, timeout: patienceMs }, (response) => {
      response.resume()
      response.once('error', () => resolve(-1))
      response.once('end', () => {
        resolve(response.statusCode === 200 ? performance.now() - startedMs : -1)
      })
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(-1))
  })
}

async function watch(address: string, headers: Readonly<Record<string, string>>) {
  const times: number[] = []
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
