import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'
import { expect, test } from 'vitest'
import { postgresDialect } from './dialect.ts'
import { postgresMigrations } from './postgres-migrations.ts'

test.each(['gateleg', 'other', '_1'])(
  '[POSTGRES-1] migrations are written for the schema %s',
  (schema) => {
    expect(postgresMigrations(schema)).toEqual(writeMigrations(postgresDialect(schema)))
  },
)
