import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginRandomRunsAt, committedSeed, readRandomRuns } from './random-runs.ts'

describe('random tests', () => {
  test('begin at the committed seed when nobody says otherwise', () => {
    expect(readRandomRuns({})).toEqual({ seed: committedSeed })
  })

  test('begin at the seed that this run was told', () => {
    expect(fc.readConfigureGlobal().seed).toBe(readRandomRuns(process.env).seed)
  })

  test('begin where a failure told', () => {
    expect(readRandomRuns({ RANDOM_SEED: '-7', RANDOM_PATH: '12:0:3' })).toEqual({
      seed: -7,
      path: '12:0:3',
    })
  })

  test.each(['', 'now', '1.5', '4294967296', '1e3'])('refuse the seed "%s"', (seed) => {
    expect(() => readRandomRuns({ RANDOM_SEED: seed })).toThrow('an integer of 32 bits')
  })

  test('refuse a path that is none, and one without its seed', () => {
    expect(() => readRandomRuns({ RANDOM_SEED: '1', RANDOM_PATH: 'a' })).toThrow('colons')
    expect(() => readRandomRuns({ RANDOM_PATH: '1' })).toThrow('without RANDOM_SEED')
  })

  test('draw the same from one seed, and run one case alone where there is a path', () => {
    const before = fc.readConfigureGlobal()
    const draw = (seed: number, path?: string) => {
      const drawn: number[] = []
      beginRandomRunsAt({ seed, ...(path !== undefined && { path }) })
      const property = fc.property(fc.integer(), (one) => {
        drawn.push(one)
        return path === undefined
      })
      const { failed } = fc.check(property)
      return { drawn, failed }
    }
    try {
      const { drawn } = draw(1)
      expect(draw(1).drawn).toEqual(drawn)
      expect(draw(2).drawn).not.toEqual(drawn)
      expect(draw(1, '5')).toEqual({ drawn: [drawn[5]], failed: true })
    } finally {
      fc.configureGlobal(before)
    }
  })
})
