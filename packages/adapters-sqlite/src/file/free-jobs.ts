import type Database from 'better-sqlite3'

/**
 * Frees the jobs that a worker held. Call it in the only process that has the file open, before it takes a job
 * itself: then the worker must be dead, whatever its lease says. A job that was begun more than once keeps the pause
 * that follows a second death, because the process may have died of it.
 */
export function freeJobs(database: Database.Database): void {
  const counts = database
    .prepare("select 1 from pragma_table_info('jobs') where name = 'attempts'")
    .get()
  if (counts === undefined) return
  database
    .prepare(
      'update jobs set claim = null, lease_until_time = null where claim is not null and attempts = 1',
    )
    .run()
}
