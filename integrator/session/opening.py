"""From a path to a session: which game, which system, which core, which host."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.integration import Integration, load_integration
from integrator.session.session import Session, SessionPlan
from libretro_host.descriptor import SystemDescriptor, load_descriptors, system_for
from libretro_host.discovery import CoreChoice, find_core
from libretro_host.host import CoreHost, LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost
