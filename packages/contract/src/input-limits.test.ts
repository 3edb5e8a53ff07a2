import { dbFieldNameSchema } from '@gateleg/domain/fields/operations/definition/field-definition'
import { idSchema } from '@gateleg/domain/ids'
import { limits } from '@gateleg/domain/limits'
import { useCases } from '@gateleg/domain/use-cases'
import { timeZoneSchema } from '@gateleg/domain/values/dates/time-zone-schema'
import { descriptionSchema, iconSchema, nameSchema } from '@gateleg/domain/values/names'
import { expect, test } from 'vitest'
import type { z } from 'zod'

/** What an input is refused for because it is too much, with its place. */
function refusalOf(schema: z.ZodType, value: unknown): string | undefined {
  const { issues = [] } = schema.safeParse(value).error ?? {}
  const tooMuch = issues.find(({ code, message }) => code === 'too_big' || /at most/.test(message))
  return tooMuch?.path.join('.')
}

const text = (length: number) => 'x'.repeat(length)
const listOf = (item: unknown) => (length: number) => new Array(length).fill(item)
const padded = (length: number) => `x${' '.repeat(length - 1)}`
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]))
const itself = (value: number) => value

const { accessTokens, accounts, bases, collaborators, fields, records, tables, views } = useCases

/** A limit, the input that it is a limit of, the member where it is one, and a value of some size for it. */
const cases: [keyof typeof limits, z.ZodType, string, (size: number) => unknown][] = [
  ['nameLength', nameSchema, '', text],
  ['untrimmedNameLength', nameSchema, '', padded],
  ['descriptionLength', descriptionSchema, '', text],
  ['iconLength', iconSchema, '', text],
  ['idLength', idSchema, '', text],
  ['idLength', bases.verifyBase.input, 'hash', text],
  ['timeZoneLength', timeZoneSchema, '', text],
  ['dbFieldNameLength', dbFieldNameSchema, '', text],
  ['cursorLength', records.listRecords.input, 'cursor', text],
  ['sortFields', records.listRecords.input, 'orderBy', listOf({ fieldId: 'x', order: 'asc' })],
  ['shortTextLength', accounts.signUp.input, 'inviteCode', text],
  ['emailLength', accounts.signIn.input, 'email', text],
  ['passwordLengthMax', accounts.signIn.input, 'password', text],
  ['placesPerAccessToken', accessTokens.createToken.input, 'spaceIds', listOf('spc1')],
  ['placesPerAccessToken', accessTokens.createToken.input, 'baseIds', listOf('bse1')],
  ['inviteCodeUses', accounts.createInviteCode.input, 'uses', itself],
  [
    'collaboratorsPerRequest',
    collaborators.addSpaceCollaborators.input,
    'collaborators',
    listOf(1),
  ],
  ['collaboratorsPerPage', collaborators.listSpaceCollaborators.input, 'take', itself],
  ['viewsPerTable', tables.createTable.input, 'views', listOf({ type: 'grid' })],
  ['groupFields', records.listRecords.input, 'groupBy', listOf({ fieldId: 'x', order: 'asc' })],
  ['collapsedGroups', records.listRecords.input, 'collapsedGroupIds', listOf('x')],
  ['groupFields', views.setViewGroup.input, 'group', listOf({ fieldId: 'fld1', order: 'asc' })],
  ['fieldsPerTable', tables.createTable.input, 'fields', listOf({ type: 'number' })],
  ['fieldsPerTable', fields.deleteFields.input, 'fieldIds', listOf('fld1')],
  ['fieldOptions', fields.createField.input, 'options', members],
  ['recordsPerMutation', tables.createTable.input, 'records', listOf({ fields: {} })],
  ['recordsPerMutation', records.createRecords.input, 'records', listOf({ fields: {} })],
  ['recordsPerMutation', records.updateRecords.input, 'records', listOf({ id: 'r', fields: {} })],
  ['recordsPerDelete', records.deleteRecords.input, 'recordIds', listOf('rec1')],
  ['recordsPerPage', records.listRecords.input, 'take', itself],
  ['recordsSkipped', records.listRecords.input, 'skip', itself],
]

test.each(cases)(
  '[CONTRACT-10] takes what %s allows, and no more',
  (name, schema, member, make) => {
    const input = (size: number) => (member ? { type: 'number', [member]: make(size) } : make(size))
    expect(refusalOf(schema, input(limits[name]))).toBeUndefined()
    expect(refusalOf(schema, input(limits[name] + 1))).toBe(member)
  },
)

test('[CONTRACT-10] says of a name that is too long how long one may be, however long it is', () => {
  for (const length of [limits.nameLength + 1, 2 * limits.untrimmedNameLength]) {
    const { issues = [] } = nameSchema.safeParse(text(length)).error ?? {}
    expect(issues.map(({ message }) => message)).toEqual([
      `must have at most ${limits.nameLength} characters`,
    ])
  }
})
