import type { PortName, Ports } from '@gateleg/domain/ports'
import type { ServiceIdentifier } from 'inversify'

/** The token under which a port is bound: bind another implementation to replace it. */
export function portToken<Name extends PortName>(name: Name): ServiceIdentifier<Ports[Name]> {
  return Symbol.for(`gateleg.port.${name}`) as ServiceIdentifier<Ports[Name]>
}
