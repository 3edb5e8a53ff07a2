import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, expectTypeOf, test } from 'vitest'
import type { Api } from '../../../api.ts'
import type { FieldOptions, FieldTypeOf } from '../../field-options.ts'
import type { FieldOutput } from '../../field-output.ts'
import type { FieldTypeName } from '../../field-type-name.ts'
import type { FieldInput } from './field-input.ts'

type NewField = Parameters<Api['fields']['createField']>[0]

const refusedAt = (...path: readonly (string | number)[]) => ({
  code: 'validation_error',
  data: { issues: [expect.objectContaining({ path })] },
})

describeOnEveryStorage('the types of fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let place: { readonly tableId: string }
  beforeEach(async () => {
    await world.clear()
    table = await world.makeNames('Things', 'a')
    place = { tableId: table.id }
  })
  const create = (field: Parameters<Api['fields']['createField']>[0]) =>
    world.api.fields.createField(field)
  const addLink = () =>
    create({
      ...place,
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: table.id, isOneWay: true },
    })

  test('[FIELD-213] tell the options that a new field takes', async () => {
    const choices = [{ name: 'x' }]
    const { id } = await create({ ...place, type: 'singleSelect', options: { choices } })
    const select = await world.api.fields.getField({ ...place, fieldId: id })
    expect(select.options).toMatchObject({ choices })
    for (const type of ['number', 'checkbox'] as const) await create({ ...place, type })
    // @ts-expect-error: a choice has a name
    const nameless = create({ ...place, type: 'singleSelect', options: { choices: [{}] } })
    await expect(nameless).rejects.toMatchObject(refusedAt('options', 'choices', 0, 'name'))
    // @ts-expect-error: a checkbox has no choices
    const ofAnother = create({ ...place, type: 'checkbox', options: { choices } })
    await expect(ofAnother).rejects.toMatchObject(refusedAt('options'))
    // @ts-expect-error: a formula needs its expression
    const empty = create({ ...place, type: 'formula' })
    await expect(empty).rejects.toMatchObject(refusedAt('options', 'expression'))
    // @ts-expect-error: there is no such type
    const misspelt = create({ ...place, type: 'numbr' })
    await expect(misspelt).rejects.toMatchObject(refusedAt('type'))
    expectTypeOf<FieldTypeOf<FieldTypeName>['name']>().toEqualTypeOf<FieldTypeName>()
    expectTypeOf<Extract<NewField, { type: 'rating' }>['id']>().toEqualTypeOf<string | undefined>()
  })

  test('[FIELD-213] tell the options of fields that are made with their table', async () => {
    const { baseId } = world
    const fields: FieldInput[] = [
      { type: 'singleLineText' },
      { type: 'date', options: { formatting: { time: 'HH:mm' } } },
    ]
    const made = await world.api.tables.createTable({ baseId, fields })
    expect(made.fields[1]?.options).toMatchObject({ formatting: { time: 'HH:mm' } })
    expectTypeOf(made.fields).toEqualTypeOf<FieldOutput[]>()
    const time = 'H' as const
    const late = { type: 'date' as const, options: { formatting: { time } } }
    // @ts-expect-error: there is no such form of times
    const wrong = world.api.tables.createTable({ baseId, fields: [{ type: 'number' }, late] })
    await expect(wrong).rejects.toMatchObject(
      refusedAt('fields', 1, 'options', 'formatting', 'time'),
    )
  })

  test('[FIELD-213] tell what a lookup takes, and what lookups and rollups need', async () => {
    const { id: linkFieldId } = await addLink()
    const lookupOptions = { linkFieldId, foreignTableId: table.id, lookupFieldId: table.primaryId }
    const type = 'singleLineText'
    const lookup = await create({ ...place, type, isLookup: true, lookupOptions })
    expect(lookup).toMatchObject({ isLookup: true, lookupOptions })
    const options = { expression: 'countall({values})' as const }
    await create({ ...place, type: 'rollup', lookupOptions, options })
    // @ts-expect-error: a lookup needs what it reads
    const blind = create({ ...place, type, isLookup: true })
    await expect(blind).rejects.toMatchObject(refusedAt('lookupOptions'))
    // @ts-expect-error: a rollup needs what it reads
    const empty = create({ ...place, type: 'rollup' })
    await expect(empty).rejects.toMatchObject(refusedAt('lookupOptions'))
    // @ts-expect-error: other fields read nothing through a link
    const reading = create({ ...place, type, lookupOptions })
    await expect(reading).rejects.toMatchObject(refusedAt('lookupOptions'))
    const own = { defaultValue: 'x' }
    // @ts-expect-error: the default is that of the field that it reads
    const withOwn = create({ ...place, type, isLookup: true, lookupOptions, options: own })
    await expect(withOwn).rejects.toMatchObject(refusedAt('options'))
  })

  test('[FIELD-213] tell what a field may become; a type that stays keeps its options', async () => {
    const { id: fieldId } = await addLink()
    const { convertField, planConversion } = world.api.fields
    const kept = await convertField({ ...place, fieldId, type: 'link', name: 'Others' })
    expect(kept).toMatchObject({ name: 'Others', options: { relationship: 'manyMany' } })
    const rating = { ...place, fieldId, type: 'rating' } as const
    const own = { choices: [] }
    // @ts-expect-error: a rating has no choices
    const wrong = convertField({ ...rating, options: own })
    await expect(wrong).rejects.toMatchObject(refusedAt('options'))
    // @ts-expect-error: nor has one that is planned
    const planned = planConversion({ ...rating, options: own })
    await expect(planned).rejects.toMatchObject(refusedAt('options'))
    expect(await convertField({ ...rating, options: { max: 3 } })).toMatchObject({ type: 'rating' })
    // @ts-expect-error: nor one whose creation is planned
    const creation = world.api.fields.planCreation({ ...place, type: 'rating', options: own })
    await expect(creation).rejects.toMatchObject(refusedAt('options'))
  })

  test('[FIELD-213] tell the options of a field that is answered', async () => {
    await create({ ...place, type: 'singleSelect', options: { choices: [{ name: 'x' }] } })
    const seen: string[] = []
    for (const field of await world.api.fields.listFields(place)) {
      if (field.type === 'number') seen.push(field.options.formatting.type)
      if (field.type === 'singleSelect') seen.push(...field.options.choices.map(({ name }) => name))
      expectTypeOf(field).toEqualTypeOf<FieldOutput>()
    }
    expect(seen).toEqual(['decimal', 'x'])
    type Answered<Name> = Extract<FieldOutput, { type: Name }>['options']
    expectTypeOf<Answered<'rating'>>().toEqualTypeOf<FieldOptions<'rating'>>()
    expectTypeOf<FieldOptions<'rating'>['max']>().toEqualTypeOf<number>()
    // @ts-expect-error: which options there are is known when the type is
    expectTypeOf<FieldOutput['options']['choices']>()
  })
})
