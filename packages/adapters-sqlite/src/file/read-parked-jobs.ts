import type { ParkedJob } from '@gateleg/domain/jobs/job'
import { limits } from '@gateleg/domain/limits'
import Database from 'better-sqlite3'
import { explainingFile } from './file-unusable-error.ts'

/**
 * Reads the parked jobs of a file, those parked longest first, up to a maximum, without disturbing a server that uses
 * the file. Throws FileUnusableError.
 */
export function readParkedJobs(file: string): Promise<readonly ParkedJob[]> {
  return explainingFile(file, () => {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    try {
      // A file of an older version parks none.
      const parks = "select 1 from pragma_table_info('jobs') where name = 'parked_time'"
      if (database.prepare(parks).get() === undefined) return []
      return database
        .prepare(
          `select id, kind, parked_time as parkedTime, coalesce(parked_reason, '') as reason
           from jobs where parked_time is not null order by parked_time, id limit ?`,
        )
        .all(limits.parkedJobsListed) as ParkedJob[]
    } finally {
      database.close()
    }
  })
}
