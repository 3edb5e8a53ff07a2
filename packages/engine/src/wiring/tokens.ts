import type { PortName, Ports } from '@gateleg/domain/ports'
import type { ServiceIdentifier } from 'inversify'

/** The token under which a port is bound in the container. */
export function portToken<Name extends PortName>(name: Name): ServiceIdentifier<Ports[Name]> {
  return Symbol.for(`gateleg.port.${name}`) as ServiceIdentifier<Ports[Name]>
}
