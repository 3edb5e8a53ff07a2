import { type PostgresOptions, postgres } from '@gateleg/adapters-postgres/postgres'
import type { Storage } from '@gateleg/domain/store'
import pg from 'pg'
import { inject } from 'vitest'
import { emptySchema } from './postgres-schemas.ts'
import { requireRules } from './sql-rules.ts'

/** Metadata schemas that tests of this process have made and are done with. */
const idle: string[] = []
let made = 0
let janitor: pg.Client | undefined

/** Ends the connection that empties schemas, until one is taken again. */
export async function dismissJanitor(): Promise<void> {
  await janitor?.end()
  janitor = undefined
}

/** The database of the run, for tests of their own connections. */
export function testConnectionString(): string {
  return inject('postgres')?.connectionString ?? ''
}

/**
 * PostgreSQL with a metadata schema that is empty, and nobody else's until it is closed. Making one takes
 * a tenth of a second: the worlds that follow use it again, in this test file and in later ones.
 */
export function freshPostgres(options: Partial<PostgresOptions> = {}): Storage {
  return {
    name: 'postgres',
    open: async (dependencies) => {
      const metadataSchema = await takeSchema()
      const opened = await onSchema(metadataSchema, options).open(dependencies)
      let isGivenBack = false
      return {
        store: opened.store,
        instanceKey: (candidate) => opened.instanceKey(candidate),
        keyFingerprint: (candidate) => opened.keyFingerprint(candidate),
        close: async () => {
          await opened.close()
          // Given back twice, two worlds would get it at the same time.
          if (!isGivenBack) giveBackSchema(metadataSchema)
          isGivenBack = true
        },
      }
    },
  }
}

/** PostgreSQL in a metadata schema of the run's database. */
export function onSchema(metadataSchema: string, options: Partial<PostgresOptions> = {}): Storage {
  return postgres({
    connectionString: testConnectionString(),
    metadataSchema,
    poolSize: 4,
    onStatement: requireRules,
    ...options,
  })
}

/** A metadata schema that is empty, or not there yet. Give it back when it holds no connection any more. */
export async function takeSchema(): Promise<string> {
  const prefix = inject('postgres')?.schemaPrefix
  const schema = idle.pop() ?? `${prefix}${process.env.VITEST_POOL_ID}_${++made}`
  if (!janitor) {
    janitor = new pg.Client({ connectionString: testConnectionString() })
    await janitor.connect()
  }
  await emptySchema(janitor, schema)
  return schema
}

/** Lets others take the schema. */
export function giveBackSchema(schema: string): void {
  idle.push(schema)
}
