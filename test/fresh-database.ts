import pg from 'pg'
import { inject } from 'vitest'
import { testConnectionString } from './fresh-postgres.ts'

/** A database of the run's server that is nobody else's. */
export interface FreshDatabase {
  readonly connectionString: string
  /** Makes another one that holds the same; nobody may be connected to this one. */
  copy(): Promise<FreshDatabase>
  drop(): Promise<void>
}

let made = 0

/** Makes an empty database. */
export function makeDatabase(): Promise<FreshDatabase> {
  return makeDatabaseFrom('template1')
}

async function makeDatabaseFrom(template: string): Promise<FreshDatabase> {
  const name = `${inject('postgres')?.schemaPrefix}${process.env.VITEST_POOL_ID}_database${++made}`
  const quoted = pg.escapeIdentifier(name)
  await onServer(`create database ${quoted} template ${pg.escapeIdentifier(template)}`)
  const url = new URL(testConnectionString())
  url.pathname = name
  return {
    connectionString: url.href,
    copy: () => makeDatabaseFrom(name),
    drop: () => onServer(`drop database ${quoted} with (force)`),
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testConnectionString() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
