import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

/** Times that both are tried at once: which of them is first is not the same every time. */
const tries = 5

describeOnEveryStorage('a base that is deleted while a link with it is made', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  /** Makes a link from one table to the other while the base is deleted; tells why it wasn't made, if so. */
  const linkAndDelete = async (
    from: TestTable,
    to: { readonly table: TestTable; readonly baseId?: string },
    remove: () => Promise<unknown>,
  ) => {
    const { baseId, table } = to
    const options = {
      foreignTableId: table.id,
      relationship: 'manyMany',
      ...(baseId !== undefined && { baseId }),
    }
    const definition = { tableId: from.id, type: 'link', name: 'L', options }
    const call = world.api.fields.createField(definition as never, { windowId: 'window-1' })
    const [made, removed] = await Promise.allSettled([call, remove()])
    expect(removed).toMatchObject({ status: 'fulfilled' })
    return made.status === 'fulfilled' ? undefined : made.reason
  }

  /** Links of the table say that they have errors, and nothing fails that is done to its records. */
  const expectBroken = async (table: TestTable) => {
    const fields = await world.api.fields.listFields({ tableId: table.id })
    const links = fields.filter(({ type }) => type === 'link')
    expect(links.filter(({ hasError }) => !hasError)).toEqual([])
    await world.change(table, table.recordIds[0], { Count: fields.length })
    for (const { id: fieldId } of links) {
      await world.api.fields.deleteField({ tableId: table.id, fieldId })
    }
  }

  test.each([
    ['deleteBase', 'from'],
    ['deleteBase', 'to'],
    ['deleteBasePermanently', 'from'],
    ['deleteBasePermanently', 'to'],
  ] as const)(
    '[FIELD-250] leaves no link that works by %s, %s its table',
    async (name, direction) => {
      const { api, ada, baseId: ownBaseId } = world
      const own = await world.makeNames('Own', 'a')
      for (let count = 0; count < tries; count++) {
        const { id: baseId } = await api.bases.createBase({ spaceId: ada.spaceId })
        const text = { type: 'singleLineText', name: 'Name' }
        const gone = await world.makeTable('Gone', [text], [{}], baseId)
        const remove = () => api.bases[name]({ baseId })
        const refusal =
          direction === 'from'
            ? await linkAndDelete(gone, { table: own, baseId: ownBaseId }, remove)
            : await linkAndDelete(own, { table: gone, baseId }, remove)
        if (refusal) {
          const codes = ['not_found', 'validation_error']
          expect(codes).toContain((refusal as { readonly code?: unknown }).code)
        }
        await expectBroken(own)
      }
      await world.clear()
    },
  )
})
