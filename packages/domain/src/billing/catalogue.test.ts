import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { readCatalogue } from './catalogue.ts'
import { defaultCatalogue } from './default-catalogue.ts'
import { Plans } from './plans.ts'

const problemsOf = (catalogue: unknown) =>
  readCatalogue(JSON.stringify(catalogue)).problems?.join('\n') ?? 'none'

const [free, pro] = defaultCatalogue.baseProducts

test('[BILL-3] the catalogue that is shipped is one, and limits nothing', () => {
  expect(problemsOf(defaultCatalogue)).toBe('none')
  const { level, limit } = new Plans().of('spcAny')
  expect(level).toBe('enterprise')
  for (const value of Object.values(limit)) expect([-1, true]).toContain(value)
})

test('[BILL-2] a catalogue is refused with what is wrong where', () => {
  const { baseProducts, plans } = defaultCatalogue
  const withLimit = (limit: object) => ({
    ...defaultCatalogue,
    baseProducts: [{ ...free, limit: { ...free?.limit, ...limit } }, ...baseProducts.slice(1)],
  })
  const withPro = (change: object) => ({
    ...defaultCatalogue,
    baseProducts: [...baseProducts, { ...pro, ...change }],
  })
  const [price] = pro?.prices ?? []
  for (const [catalogue, said] of [
    [[], ''],
    [{}, 'baseProducts: is required'],
    [{ ...defaultCatalogue, baseProducts: {} }, 'baseProducts: must be a list'],
    [{ ...defaultCatalogue, more: 1 }, /^must not have the member "more"$/],
    [withLimit({ maxRows: -2 }), 'limit.maxRows: must be a whole number, or -1 for no limit'],
    [withLimit({ maxRows: '5' }), 'limit.maxRows: must be'],
    [withLimit({ maxRows: 1e308 }), 'limit.maxRows: must be'],
    [withLimit({ appEnable: 1 }), 'limit.appEnable: must be true or false'],
    [withLimit({ appEnable: undefined }), 'baseProducts.0.limit.appEnable: is required'],
    [withLimit({ rows: 1 }), 'baseProducts.0.limit: must not have the member "rows"'],
    [withPro({}), '"cloud-pro" is the id of another product'],
    [withPro({ id: 'x', prices: [] }), 'another base product of "cloud" with the level "pro"'],
    [withPro({ id: 'x', prices: [{ ...price, id: 'y' }] }), 'prices.0.productId: must be "x"'],
    [withPro({ id: 'x' }), 'is the id of another price'],
    [withPro({ prices: [{ ...price, unitAmount: 9.99 }] }), 'unitAmount: must be a whole number'],
    [{ ...defaultCatalogue, plans: { ...plans, level: 'pro' } }, 'plans.level: there is no base'],
    [
      { ...defaultCatalogue, plans: { ...plans, spaces: { spc1: 'pro' } } },
      'plans.spaces.spc1: there is no base product of "self-hosted" with the level "pro"',
    ],
  ] as const) {
    const problems = problemsOf(catalogue)
    expect(problems).not.toBe('none')
    expect(problems).toMatch(typeof said === 'string' ? new RegExp(RegExp.escape(said)) : said)
  }
  expect(readCatalogue('{').problems).toEqual(['must be JSON'])
  expect(readCatalogue(' '.repeat(limits.catalogueLength + 1)).problems).toHaveLength(1)
})

test('[BILL-4] [BILL-11] a space has its own level, or that of all others, as the catalogue has it now', () => {
  const cloud = { catalog: 'cloud', level: 'free' } as const
  const plans = new Plans({ ...defaultCatalogue, plans: cloud })
  expect(plans.of('__proto__').level).toBe('free')
  expect(plans.of('spc1')).toEqual({ level: 'free', limit: free?.limit })
  plans.replace({ ...defaultCatalogue, plans: { ...cloud, spaces: { spc1: 'pro' } } })
  expect(plans.of('spc1')).toEqual({ level: 'pro', limit: pro?.limit })
  expect(plans.of('spc2').level).toBe('free')
})
