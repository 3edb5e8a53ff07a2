import { Worker } from 'node:worker_threads'
import type { Ours } from './contenders.ts'
import type { ProbeReport, ProbeTask } from './probe-thread.ts'

/**
 * Milliseconds that requests of somebody else took, by kind, for as long as the work lasts. They are sent by a thread of
 * their own: what the work costs its own client, such as making bodies and receiving long answers, is no wait for the
 * server.
 */
export async function probeWhile(
  { url, token }: Ours,
  tableId: string,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const task: ProbeTask = { url, token, tableId }
  const thread = new Worker(new URL('./probe-thread.ts', import.meta.url), { workerData: task })
  const next = () =>
    new Promise<ProbeReport>((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
    })
  try {
    await next()
    await work()
    const ending = next()
    thread.postMessage('end')
    return await ending
  } finally {
    await thread.terminate()
  }
}
