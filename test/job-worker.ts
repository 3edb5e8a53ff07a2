import { postgres } from '@gateleg/adapters-postgres/postgres'
import { runNextJob } from '@gateleg/domain/jobs/run-next-job'
import { RandomIds } from '@gateleg/engine/platform/random-ids'
import { FixedClock } from '@gateleg/testing/doubles/fixed-clock'
import { countedKinds } from './counted-jobs.ts'

/**
 * A process that does the jobs that are due at a moment, and names each on a line of its own once it is
 * at work on it. The one that is named last on the command line it never ends.
 */
const [connectionString = '', moment, endless] = process.argv.slice(2)

const forever = () => new Promise<void>(() => setInterval(() => {}, 1_000))
const kinds = countedKinds(async (name) => {
  process.stdout.write(`${name}\n`)
  if (name === endless) await forever()
})
const storage = await postgres({ connectionString, poolSize: 2 }).open({ onCommit: () => {} })
const ports = { store: storage.store, clock: new FixedClock(moment), ids: new RandomIds() }
const fail = (error: unknown) => {
  throw error
}
while (await runNextJob(ports, kinds, fail));
await storage.close()
