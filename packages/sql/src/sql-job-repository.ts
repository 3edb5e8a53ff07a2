import type { ClaimedJob, Job } from '@gateleg/domain/jobs/job'
import type { JobRepository } from '@gateleg/domain/jobs/job-repository'
import { sql } from 'kysely'
import { prepared } from './database.ts'
import type { JobRow } from './schema.ts'
import type { SqlSession } from './session.ts'

type JobValues = Pick<Job, 'id' | 'kind' | 'dueTime' | 'failures'>

/** The row of a job that nobody holds. */
function newRow(value: <Key extends keyof JobValues>(key: Key) => JobValues[Key]) {
  return {
    id: value('id'),
    kind: value('kind'),
    due_time: value('dueTime'),
    failures: value('failures'),
    claim: null,
    lease_until_time: null,
  }
}

const ensure = prepared<JobValues, unknown>((db, value) =>
  db
    .insertInto('jobs')
    .values(newRow(value))
    .onConflict((conflict) => conflict.column('id').doNothing()),
)

const hasten = prepared<JobValues, unknown>((db, value) =>
  db
    .insertInto('jobs')
    .values(newRow(value))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({ due_time: ref('excluded.due_time') }))
        .whereRef('excluded.due_time', '<', 'jobs.due_time'),
    ),
)

const remove = prepared<{ id: string; claim: string }, unknown>((db, value) =>
  db.deleteFrom('jobs').where('id', '=', value('id')).where('claim', '=', value('claim')),
)

const claim = prepared<{ now: string; leaseUntil: string; claim: string }, JobRow>(
  (db, value, dialect) =>
    db
      .updateTable('jobs')
      .set({ claim: value('claim'), lease_until_time: value('leaseUntil') })
      .where('id', '=', (eb) =>
        eb
          .selectFrom('jobs')
          .select('id')
          .where('due_time', '<=', value('now'))
          .where(({ or, eb: condition }) =>
            or([
              condition('lease_until_time', 'is', null),
              condition('lease_until_time', '<=', value('now')),
            ]),
          )
          .orderBy('due_time')
          .orderBy('id')
          .limit(1)
          .modifyEnd(sql.raw(dialect.skipLockedClause)),
      )
      .returningAll(),
)

const release = prepared<{ id: string; claim: string; dueTime: string; failures: number }, unknown>(
  (db, value) =>
    db
      .updateTable('jobs')
      .set({
        due_time: value('dueTime'),
        failures: value('failures'),
        claim: null,
        lease_until_time: null,
      })
      .where('id', '=', value('id'))
      .where('claim', '=', value('claim')),
)

export class SqlJobRepository implements JobRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async ensure({ id, kind, dueTime, failures }: Job): Promise<void> {
    await this.#session.run(ensure, { id, kind, dueTime, failures })
  }

  async hasten({ id, kind, dueTime, failures }: Job): Promise<void> {
    await this.#session.run(hasten, { id, kind, dueTime, failures })
  }

  async claim(terms: { now: string; leaseUntil: string; claim: string }) {
    const row = await this.#session.first(claim, terms)
    return (
      row && {
        id: row.id,
        kind: row.kind,
        dueTime: row.due_time,
        failures: row.failures,
        claim: terms.claim,
      }
    )
  }

  async release(job: ClaimedJob, dueTime: string, failures: number): Promise<boolean> {
    const { id, claim } = job
    return (await this.#session.run(release, { id, claim, dueTime, failures })) === 1
  }

  async remove({ id, claim }: ClaimedJob): Promise<boolean> {
    return (await this.#session.run(remove, { id, claim })) === 1
  }
}
