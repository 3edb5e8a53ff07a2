import { existsSync } from 'node:fs'
import { readParkedJobs } from '@gateleg/adapters-sqlite/file/read-parked-jobs'
import type { ParkedJob } from '@gateleg/domain/jobs/job'
import type { Engine } from '@gateleg/engine/engine'
import { openEngine } from '@gateleg/engine/open-engine'
import { type Configuration, ConfigurationError } from '../configuration/configuration.ts'
import { explainingFailures, type FileInUseAdvice } from '../configuration/operator-errors.ts'
import { databaseFile } from '../data-directory/data-directory.ts'
import { openingStorage } from '../opening/opening-storage.ts'

/**
 * Lists the parked jobs of the configured storage in words, whether a server runs or not. Throws a ConfigurationError
 * that says why they can't be read.
 */
export async function listParked(configuration: Configuration): Promise<string> {
  const jobs = configuration.database
    ? await withEngine(configuration, (engine) => engine.parkedJobs())
    : await explainingFailures(() => readParkedJobs(requireFile(configuration)))
  return jobs.length === 0 ? 'No job is parked.\n' : jobs.map(toLines).join('')
}

/**
 * Has a parked job tried again by the next server, or on PostgreSQL by one that runs; the server of a SQLite file
 * must be ended first. Returns what was done, in words. Throws a ConfigurationError that says why it can't.
 */
export async function retryParked(configuration: Configuration, id: string): Promise<string> {
  if (!configuration.database) requireFile(configuration)
  const isParked = await withEngine(configuration, (engine) => engine.retryJob(id))
  if (isParked) return `The job "${id}" is tried again as soon as a server runs.\n`
  throw new ConfigurationError([`No job "${id}" is parked: gateleg jobs lists those that are.`])
}

function toLines({ id, kind, parkedTime, reason }: ParkedJob): string {
  return `${id} (${kind}), parked since ${parkedTime}\n    ${reason}\n`
}

function requireFile({ dataDir }: Configuration): string {
  const file = databaseFile(dataDir)
  if (existsSync(file)) return file
  throw new ConfigurationError([`There is no ${file}: look at DATA_DIR.`])
}

/** The job is in this very file, so another directory would be no help. */
const endServer: FileInUseAdvice = (file) =>
  `A server, or another program, is using ${file}: end it, have the job tried again, and start it after that.`

/** An engine that does no jobs itself. */
async function withEngine<T>(
  configuration: Configuration,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const silent = () => undefined
  const engine = await openingStorage(
    configuration,
    silent,
    (storage) => openEngine({ ...storage, jobs: false, onBackgroundError: silent }),
    endServer,
  )
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}
