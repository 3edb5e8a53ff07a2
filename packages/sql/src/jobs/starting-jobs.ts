import type { Job, ParkedJob } from '@gateleg/domain/jobs/job'
import type { StartingJobRepository } from '@gateleg/domain/jobs/job-repository'
import type { OwnTables } from '../core/own-tables.ts'
import type { JobRow } from '../metadata/tables/job-table.ts'

/** What the start of an engine asks of jobs. */
export class StartingJobs implements StartingJobRepository {
  readonly #own: OwnTables

  constructor(own: OwnTables) {
    this.#own = own
  }

  async ensure({ id, kind, dueTime, failures }: Job): Promise<void> {
    await this.#own.run(
      ({ table, value }) =>
        `insert into ${table('jobs')} (id, kind, due_time, failures) values (${[id, kind, dueTime, failures].map(value).join(', ')}) on conflict (id) do nothing`,
    )
  }

  async hastenAll(kind: string, dueTime: string): Promise<void> {
    await this.#own.run(
      ({ table, value }) =>
        `update ${table('jobs')} set due_time = ${value(dueTime)} where kind = ${value(kind)} and due_time > ${value(dueTime)}`,
    )
  }

  async listParked(most: number): Promise<readonly ParkedJob[]> {
    const rows = await this.#own.all<Pick<JobRow, 'id' | 'kind' | 'parked_time' | 'parked_reason'>>(
      ({ table, value }) =>
        `select id, kind, parked_time, parked_reason from ${table('jobs')} where parked_time is not null order by parked_time, id limit ${value(most)}`,
    )
    return rows.map(({ id, kind, parked_time, parked_reason }) => ({
      id,
      kind,
      parkedTime: parked_time ?? '',
      reason: parked_reason ?? '',
    }))
  }
}
