import { z } from 'zod'

const hues = [
  'blue',
  'cyan',
  'gray',
  'green',
  'orange',
  'pink',
  'purple',
  'red',
  'teal',
  'yellow',
] as const

const shades = ['Light2', 'Light1', 'Bright', '', 'Dark1'] as const

type Color = `${(typeof hues)[number]}${(typeof shades)[number]}`

/** Every colour by name, in an order in which neighbours differ in hue. */
export const colors: readonly Color[] = shades.flatMap((shade) =>
  hues.map((hue): Color => `${hue}${shade}`),
)

/** A colour by its name. */
export const colorSchema = z.enum(colors)

/** The colour of what stands at a position and was given none: the colours in turn. */
export function colorAt(position: number): Color {
  return colors[position % colors.length] as Color
}
