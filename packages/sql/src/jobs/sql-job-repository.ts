import type { ClaimedJob, Job, ParkedJob } from '@gateleg/domain/jobs/job'
import type { JobRepository } from '@gateleg/domain/jobs/job-repository'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import { valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import type { RowOf } from '../metadata/table-columns.ts'
import { type JobRow, jobColumns } from '../metadata/tables/job-table.ts'
import { StartingJobs } from './starting-jobs.ts'

/** A job that nobody holds. */
type NewRow = RowOf<typeof jobColumns>

const hasKind = prepared<{ kind: string }, { id: string }>((db, value) =>
  db.selectFrom('jobs').select('id').where('kind', '=', value('kind')).limit(1),
)

/** Noted of a job that was asked for while somebody held it. */
const askedFor = 'asked for'

const hasten = prepared<NewRow, unknown>((db, value) =>
  db
    .insertInto('jobs')
    .values(valuesOf<NewRow, keyof NewRow>(jobColumns.names, value) as never)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          due_time: eb.ref('excluded.due_time'),
          parked_reason: eb
            .case()
            .when('jobs.claim', 'is', null)
            .then(eb.ref('jobs.parked_reason'))
            .else(sql.lit(askedFor))
            .end(),
        }))
        .where(({ eb, or, ref }) =>
          or([
            eb('excluded.due_time', '<', ref('jobs.due_time')),
            eb('jobs.claim', 'is not', null),
          ]),
        ),
    ),
)

const postpone = prepared<{ id: string; dueTime: string }, unknown>((db, value) =>
  db
    .updateTable('jobs')
    .set({ due_time: value('dueTime') })
    .where('id', '=', value('id'))
    .where('claim', 'is', null),
)

const remove = prepared<{ id: string; claim: string }, unknown>((db, value) =>
  db
    .deleteFrom('jobs')
    .where('id', '=', value('id'))
    .where('claim', '=', value('claim'))
    .where('parked_reason', 'is', null),
)

/** The values of a job that nobody holds. */
const nobodys = { claim: null, lease_until_time: null, attempts: null, parked_reason: null }

const letGo = prepared<{ id: string; claim: string }, unknown>((db, value) =>
  db
    .updateTable('jobs')
    .set({ ...nobodys, failures: 0 })
    .where('id', '=', value('id'))
    .where('claim', '=', value('claim')),
)

type ClaimTerms = Parameters<JobRepository['claim']>[0]

/** Takes the first job that is due, of the kinds that are named, of all others, or of any. */
function claimOf(operator: 'in' | 'not in' | undefined) {
  return prepared<Omit<ClaimTerms, 'among'> & { kinds: readonly string[] }, JobRow>(
    (db, value, dialect) =>
      db
        .updateTable('jobs')
        .set(({ fn, lit, eb }) => ({
          claim: value('claim'),
          lease_until_time: value('leaseUntil'),
          attempts: eb(fn.coalesce('attempts', lit(0)), '+', lit(1)),
        }))
        .where('id', '=', (eb) =>
          eb
            .selectFrom('jobs')
            .select('id')
            .where(({ or, eb: condition }) =>
              or([
                condition('due_time', '<=', value('now')),
                condition('due_time', '>', value('farthest')),
              ]),
            )
            .where('parked_time', 'is', null)
            .where(({ or, eb: condition }) =>
              or([
                condition('lease_until_time', 'is', null),
                condition('lease_until_time', '<=', value('now')),
                condition('lease_until_time', '>', value('farthest')),
              ]),
            )
            .$if(operator !== undefined, (query) => {
              const isNamed = dialect.lists.isIn('kind', value('kinds'))
              return query.where((condition) =>
                operator === 'in' ? isNamed : condition.not(isNamed),
              )
            })
            .orderBy('due_time')
            .orderBy('id')
            .limit(1)
            .modifyEnd(dialect.locks.skipLocked),
        )
        .returningAll(),
  )
}

const claims = { any: claimOf(undefined), these: claimOf('in'), others: claimOf('not in') }

const release = prepared<{ id: string; claim: string; dueTime: string; failures: number }, unknown>(
  (db, value) =>
    db
      .updateTable('jobs')
      .set({
        ...nobodys,
        due_time: value('dueTime'),
        failures: value('failures'),
      })
      .where('id', '=', value('id'))
      .where('claim', '=', value('claim')),
)

const extend = prepared<{ id: string; claim: string; leaseUntil: string }, unknown>((db, value) =>
  db
    .updateTable('jobs')
    .set({ lease_until_time: value('leaseUntil') })
    .where('id', '=', value('id'))
    .where('claim', '=', value('claim')),
)

const park = prepared<{ id: string; claim: string; time: string; reason: string }, unknown>(
  (db, value) =>
    db
      .updateTable('jobs')
      .set({
        parked_time: value('time'),
        parked_reason: value('reason'),
        claim: null,
        lease_until_time: null,
      })
      .where('id', '=', value('id'))
      .where('claim', '=', value('claim')),
)

const unpark = prepared<{ id: string; dueTime: string }, unknown>((db, value) =>
  db
    .updateTable('jobs')
    .set({ due_time: value('dueTime'), attempts: null, parked_time: null, parked_reason: null })
    .where('id', '=', value('id'))
    .where('parked_time', 'is not', null),
)

export class SqlJobRepository implements JobRepository {
  readonly #session: SqlSession
  readonly #starting: StartingJobs

  constructor(session: SqlSession) {
    this.#session = session
    this.#starting = new StartingJobs(session.own)
  }

  ensure(job: Job): Promise<void> {
    return this.#starting.ensure(job)
  }

  hastenAll(kind: string, dueTime: string): Promise<void> {
    return this.#starting.hastenAll(kind, dueTime)
  }

  async hasKind(kind: string): Promise<boolean> {
    return (await this.#session.first(hasKind, { kind })) !== undefined
  }

  async hasten(job: Job): Promise<void> {
    await this.#session.run(hasten, jobColumns.toRow(job))
  }

  async postpone(id: string, dueTime: string): Promise<void> {
    await this.#session.run(postpone, { id, dueTime })
  }

  async claim({ among, ...terms }: ClaimTerms) {
    const query = among ? claims[among.areMeant ? 'these' : 'others'] : claims.any
    const row = await this.#session.first(query, { ...terms, kinds: among?.kinds ?? [] })
    return row && { ...jobColumns.toEntity(row), claim: terms.claim, attempts: row.attempts ?? 0 }
  }

  async release(job: ClaimedJob, dueTime: string, failures: number): Promise<boolean> {
    const { id, claim } = job
    return (await this.#session.run(release, { id, claim, dueTime, failures })) === 1
  }

  async extend({ id, claim }: ClaimedJob, leaseUntil: string): Promise<void> {
    await this.#session.run(extend, { id, claim, leaseUntil })
  }

  async park({ id, claim }: ClaimedJob, time: string, reason: string): Promise<boolean> {
    return (await this.#session.run(park, { id, claim, time, reason })) === 1
  }

  listParked(most: number): Promise<readonly ParkedJob[]> {
    return this.#starting.listParked(most)
  }

  async unpark(id: string, dueTime: string): Promise<boolean> {
    return (await this.#session.run(unpark, { id, dueTime })) === 1
  }

  async remove({ id, claim }: ClaimedJob): Promise<boolean> {
    if ((await this.#session.run(remove, { id, claim })) === 1) return true
    return (await this.#session.run(letGo, { id, claim })) === 1
  }
}
