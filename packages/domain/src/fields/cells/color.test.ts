import { describe, expect, it } from 'vitest'
import { colorAt, colorSchema, colors } from './color.ts'

describe('colours', () => {
  it('[FIELD-79] are ten hues in five shades', () => {
    expect(new Set(colors).size).toBe(50)
    for (const name of ['blue', 'grayBright', 'tealDark1', 'yellowLight2']) {
      expect(colorSchema.safeParse(name).success).toBe(true)
    }
    expect(colorSchema.safeParse('brown').success).toBe(false)
  })

  it('[FIELD-82] take turns, and neighbours differ in hue', () => {
    expect([0, 1, 49, 50].map(colorAt)).toEqual([
      'blueLight2',
      'cyanLight2',
      'yellowDark1',
      'blueLight2',
    ])
  })
})
