import { createRequire } from 'node:module'

type Domain = typeof import('@gateleg/domain')

/**
 * Reads a catalogue from JSON text. Loaded where it is first called, as what serves HTTP is: what schemas are made with is no
 * small part of a start, and few programs have a catalogue of their own.
 */
export const readCatalogue: Domain['readCatalogue'] = (text) =>
  (createRequire(import.meta.url)('@gateleg/domain') as Domain).readCatalogue(text)
