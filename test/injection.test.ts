import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, type World } from '@gateleg/testing/world'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Texts that would end a string, a name, a statement or a comment, if they ever stood in SQL as they are. */
const hostile = fc.oneof(
  fc.constantFrom(
    `'; drop table users; --`,
    `"; drop table users; --`,
    `" text); delete from records; --`,
    `x" = 'y' or "1"="1`,
    '`;`',
    '$1',
    '?',
    ':name',
    '%s',
    '\\',
    `\\'; select 1; --`,
    '/*',
    '*/',
    '--',
    `'||(select password_hash from users)||'`,
    '💥"\'`;',
    '"'.repeat(60),
  ),
  fc.string({
    unit: fc.constantFrom('"', "'", ';', '-', ' ', '`', '\\', '$', '1', '?', 'a', ')', '('),
    minLength: 1,
    maxLength: 60,
  }),
)
const hostileName = hostile.map((text) => `n${text}`)

describeOnEveryStorage('texts that look like SQL', (storage) => {
  let world: World
  let ada: Person

  beforeAll(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterAll(() => world.close())

  test('[ACCESS-9] are always kept as they are, in names, choices, cells and keys', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(hostileName, {
          minLength: 3,
          maxLength: 3,
          selector: (name) => name.trim(),
        }),
        hostile,
        async ([tableName = '', fieldName = '', choice = ''], text) => {
          const { id: baseId } = await ada.api.bases.createBase({
            spaceId: ada.spaceId,
            name: tableName,
          })
          const table = await ada.api.tables.createTable({
            baseId,
            name: tableName,
            fields: [
              { type: 'longText', name: fieldName },
              { type: 'singleSelect', name: choice, options: { choices: [{ name: choice }] } },
              { type: 'singleLineText', name: 'Unique', unique: true },
            ],
            records: [{ fields: { [fieldName.trim()]: text, [choice.trim()]: choice.trim() } }],
          })
          const [record] = table.records
          const tableId = table.id
          const recordId = record?.id ?? ''
          const fields = { [fieldName.trim()]: text, Unique: text, [choice.trim()]: null }
          await ada.api.records.updateRecord({ tableId, recordId, record: { fields } })
          const [primary] = table.fields
          await ada.api.fields.updateField({
            tableId,
            fieldId: primary?.id ?? '',
            name: `${fieldName}!`,
          })
          const read = await ada.api.records.getRecord({ tableId, recordId })
          expect(table.name).toBe(tableName.trim())
          expect(read.fields[`${fieldName}!`.trim()]).toBe(text)
          expect((await ada.api.bases.verifyBase({ baseId })).problems).toEqual([])
        },
      ),
      { numRuns: 40 },
    )
    expect((await ada.api.accounts.getMe({})).id).toBe(ada.userId)
  })

  test('[ACCESS-9] name no column and no table', async () => {
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const { id: tableId } = await ada.api.tables.createTable({ baseId })
    const refusal = { code: 'validation_error' }
    for (const dbFieldName of [
      'a"b',
      "a'b",
      'a;b',
      'a b',
      'a-b',
      'é',
      '',
      '__id',
      'x'.repeat(64),
    ]) {
      const field = { tableId, type: 'number', dbFieldName } as const
      await expect(ada.api.fields.createField(field)).rejects.toMatchObject(refusal)
    }
    for (const dbTableName of ['a"b', "a'b", 'a;b', 'a b', '1a', 'é', '', 'x'.repeat(64)]) {
      const table = { baseId, dbTableName } as const
      await expect(ada.api.tables.createTable(table)).rejects.toMatchObject(refusal)
    }
  })

  test('[ACCESS-9] are no ids', async () => {
    for (const text of [`' or '1'='1`, `x" or 1=1 --`, '%', '_']) {
      const refusal = { code: 'not_found' }
      await expect(ada.api.spaces.getSpace({ spaceId: text })).rejects.toMatchObject(refusal)
      await expect(ada.api.bases.getBase({ baseId: text })).rejects.toMatchObject(refusal)
      await expect(ada.api.fields.listFields({ tableId: text })).rejects.toMatchObject(refusal)
    }
  })
})
