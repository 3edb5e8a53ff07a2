import { type LinkEnd, otherEnd, relationships } from '@gateleg/domain/fields/link-end'
import { queryBuilderOf } from '@gateleg/sql/core/database'
import { LinkStatements, pairKinds } from '@gateleg/sql/links/link-statements'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteDialect } from '../dialect.ts'

test.each(relationships)(
  '[STORE-422] looks at the pairs of the records alone, where a link is %s',
  (relationship) => {
    const database = new Database(':memory:')
    const owner: LinkEnd = { baseId: 'bse1', ownerFieldId: 'fld1', isOwner: true, relationship }
    for (const statement of new LinkStatements(owner, sqliteDialect).create) {
      database.exec(statement.compile(queryBuilderOf(sqliteDialect)).sql)
    }
    const scans = [owner, otherEnd(owner)].flatMap((end) => {
      const isScan = (step: string) => /^SCAN (?!json_each)/.test(step)
      return textsOf(end).filter((text) => plan(database, text).some(isScan))
    })
    expect(scans).toEqual([])
    database.close()
  },
)

function textsOf(end: LinkEnd): readonly string[] {
  const statements = new LinkStatements(end, sqliteDialect)
  const { markDeleted, lostBy, handOver, restore } = statements
  const ofKinds = pairKinds.flatMap((kind) => [statements.countOf(kind), statements.purge(kind)])
  return [statements.of(), markDeleted, lostBy, handOver, restore, ...ofKinds]
}

function plan(database: Database.Database, text: string): readonly string[] {
  const places = text.split('?').length - 1
  const steps = database.prepare(`explain query plan ${text}`)
  return (steps.all(Array.from({ length: places }, () => '[]')) as { detail: string }[]).map(
    ({ detail }) => detail,
  )
}
