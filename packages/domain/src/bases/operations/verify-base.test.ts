import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'

describeOnEveryStorage('the verification of a base', (storage) => {
  test('[BASE-13] names what is wrong with its structure, up to a number', async () => {
    const world = await openBaseWorld(storage)
    const { baseId } = world
    const verify = () => world.api.bases.verifyBase({ baseId })
    expect((await verify()).problems).toEqual([])
    const count = 3
    const stray = { baseId, parentId: null, resourceType: 'table' as const, version: 1 }
    await world.engine.store.write(async ({ nodes }) => {
      for (let order = 1; order <= count; order++) {
        const id = `bno${order}`
        await nodes.insert({ ...stray, id, order, resourceId: `tblNone${order}` })
      }
    })
    const all = [1, 2, 3].map((n) => `The node bno${n} stands for the missing table tblNone${n}`)
    const { problems, hash } = await verify()
    expect(problems.toSorted()).toEqual(all)
    expect(limits.problemsNamed).toBe(100)
    await withLimits({ problemsNamed: 2 }, async () => {
      expect(await verify()).toMatchObject({ problems: problems.slice(0, 2), hash })
    })
    await world.close()
  })

  test('[BASE-13] names what plugins are installed on that is not there', async () => {
    const world = await openBaseWorld(storage)
    const { baseId, api } = world
    const { id: tableId } = await api.tables.createTable({ baseId })
    const { id: pluginPanelId } = await api.pluginPanels.createPanel({ tableId, name: 'Panel' })
    const panel = { tableId, pluginPanelId }
    const { pluginInstallId } = await api.pluginPanels.installOnPanel({
      ...panel,
      pluginId: 'plgchart',
    })
    expect((await api.bases.verifyBase({ baseId })).problems).toEqual([])
    await world.engine.store.write(({ pluginPanels }) => pluginPanels.delete(pluginPanelId))
    expect((await api.bases.verifyBase({ baseId })).problems).toEqual([
      `${pluginInstallId} is installed on ${pluginPanelId}, which is not there`,
    ])
    await world.close()
  })

  test('[BASE-16] says whether the base has the hash that is expected, and refuses what is none', async () => {
    const world = await openBaseWorld(storage)
    const { baseId } = world
    const verify = (hash?: string) => world.api.bases.verifyBase({ baseId, hash })
    const verified = await verify()
    const { hash } = verified
    expect(verified).not.toHaveProperty('matches')
    expect(await verify(hash)).toMatchObject({ hash, matches: true })
    expect(await verify('0'.repeat(64))).toMatchObject({ hash, matches: false })
    for (const wrong of ['true', '', hash.slice(1), `${hash}0`, hash.toUpperCase()]) {
      await expect(verify(wrong)).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['hash'], message: expect.stringContaining('must be a hash') }] },
      })
    }
    await world.close()
  })
})
