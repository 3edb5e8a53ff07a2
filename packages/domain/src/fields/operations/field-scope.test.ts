import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import type { Action } from '../../access/roles.ts'

describeOnEveryStorage('fields that read others', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))

  test('[ACCESS-35] shows what is read from other fields to tokens alone that may read fields', async () => {
    const name = 'Secret plans'
    const { api, baseId } = world
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    const made = await api.fields.createField({
      tableId,
      ...{ type: 'singleSelect', name, options: { choices: [{ name: 'Buy them' }] } },
    } as never)
    const { id: nearId } = await api.tables.createTable({ baseId, records: [] })
    const link = await api.fields.createField({
      ...{ tableId: nearId, type: 'link', name: 'Far' },
      options: { relationship: 'manyMany', foreignTableId: tableId, isOneWay: true },
    } as never)
    const by = (...scopes: readonly Action[]) => {
      const actor = { kind: 'token', userId: world.ada.userId, tokenId: 'acc1' } as const
      return world.engine.as({ ...actor, scopes: new Set(scopes) })
    }
    const lookupOptions = { foreignTableId: tableId, linkFieldId: link.id, lookupFieldId: made.id }
    const reading = [
      { type: 'singleSelect', isLookup: true, lookupOptions },
      { type: 'link', options: { relationship: 'manyMany', foreignTableId: tableId } },
      { type: 'formula', options: { expression: `{${link.id}}` } },
    ]
    const blind = by('field|create', 'table|create', 'record|read')
    const seeing = by('field|create', 'field|read', 'record|read')
    const refusal = { code: 'restricted_resource' }
    for (const definition of reading) {
      const sent = { tableId: nearId, ...definition } as never
      for (const call of [blind.fields.createField, blind.fields.planCreation]) {
        await world.expectNoTrace(() => call(sent), refusal)
      }
      await seeing.fields.createField(sent)
    }
    const fields = [{ type: 'singleLineText' }, reading[1]] as never
    await world.expectNoTrace(() => blind.tables.createTable({ baseId, fields }), refusal)
    const plain = await blind.fields.createField({ tableId, type: 'number' } as never)
    expect(plain).toMatchObject({ type: 'number' })
  })

  test('[ACCESS-35] plans no conversion for tokens that may not read fields', async () => {
    const { api, baseId } = world
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    const secret = { type: 'formula', name: 'Secret plans', options: { expression: '1' } }
    const made = await api.fields.createField({ tableId, ...secret } as never)
    const first = await api.fields.createField({
      ...{ tableId, type: 'formula', options: { expression: `{${made.id}}` } },
    } as never)
    const actor = { kind: 'token', userId: world.ada.userId, tokenId: 'acc1' } as const
    const scopes = new Set<Action>(['field|update', 'record|read'])
    const blind = world.engine.as({ ...actor, scopes })
    // What is said of a circle names the fields in it.
    const options = { expression: `{${first.id}}` }
    const plan = { tableId, fieldId: made.id, type: 'formula', options } as never
    await world.expectNoTrace(() => blind.fields.planConversion(plan), {
      ...{ code: 'restricted_resource', message: expect.not.stringContaining('Secret') },
    })
  })
})
