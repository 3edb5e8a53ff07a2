/** Greater exponents than these can't move the point of any number further. */
const placesMax = 400

/** Rounds at a number of decimal places, without the errors of binary fractions: 2.345 to 2.35. */
export function roundAt(value: number, places: number, round: (value: number) => number): number {
  const shift = Math.max(-placesMax, Math.min(placesMax, Math.trunc(places)))
  if (shift === 0) return round(value)
  // What becomes too small for a number is not zero: rounded away from zero it is one.
  const shifted = movePoint(value, shift) || Math.sign(value) * Number.MIN_VALUE
  const rounded = round(shifted)
  // Large numbers have no digits to spare for moving the point there and back.
  const isRoundAlready = shift > 0 && rounded === shifted
  return Number.isFinite(shifted) && !isRoundAlready ? movePoint(rounded, -shift) : value
}

/** Moves the decimal point of a number, in its decimal digits. */
function movePoint(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

/** The nearest whole number that is no nearer to zero: 2 for 1.2, and -2 for -1.2. */
export function awayFromZero(value: number): number {
  return value < 0 ? Math.floor(value) : Math.ceil(value)
}

/** The nearest even number that is no nearer to zero. */
export function toEven(value: number): number {
  const whole = awayFromZero(value)
  return whole % 2 === 0 ? whole : whole + Math.sign(whole)
}

/** The nearest odd number that is no nearer to zero; 1 for 0. */
export function toOdd(value: number): number {
  const whole = awayFromZero(value) || 1
  return whole % 2 === 0 ? whole + Math.sign(whole) : whole
}
