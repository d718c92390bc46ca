"""Modules and their kernels: what is analysed."""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from warpbound import calls, errors, tables
from warpbound._native import ffi, lib
from warpbound.calls import Limits
from warpbound.devices import Gpu
from warpbound.facts import Dimensions, Facts, Parameters, Question
from warpbound.launches import Launch, launch_of
from warpbound.warps import (ControlFlow, Hybrid, KernelParameter, Paths, Times, Trace, Wcet, control_flow_of,
                             hybrid_of, parameters_of, paths_of, trace_of, wcet_of)

Made = TypeVar("Made")


@dataclasses.dataclass(frozen=True)
class Function:
    """A function of a module: a kernel, or in machine code a device function too.

    name          as in the text
    demangled     as in the source; the same where it is not mangled
    sm            52 for sm_52; 0: the text does not say
    instructions  their number
    """

    name: str
    demangled: str
    kernel: bool
    sm: int
    instructions: int


@dataclasses.dataclass(frozen=True)
class Targets:
    """Where an indexed branch of a SASS listing goes, where the listing does not say: addresses in bytes from
    the function's start. kernel: mangled; None: the only one with such a branch there."""

    address: int
    targets: Sequence[int]
    kernel: Optional[str] = None


class Module:
    """A parsed input: PTX, machine code (a cubin, or a file that holds some), a SASS listing, or a kernel
    instruction string."""

    def __init__(self, source: calls.Source, *, architecture: Optional[str] = None, module: Optional[str] = None,
                 device: Optional[str] = None, kernel: Optional[str] = None, machine_code_only: bool = False,
                 targets: Sequence[Targets] = (), units: Optional[Mapping[str, str]] = None) -> None:
        """Reads a file, or a Text; its form is found from its content.

        architecture  of a file with code for several: "sm_87", "compute_90" for PTX
        module        of a file with several: by number, place or source
        device        a device of the table, whose architecture is meant
        kernel        the only function that is asked for, of a file with several modules
        units         unit types of PTX opcodes that the table lacks, as {"frobnicate": "C"}: assumptions
        """
        content, name = calls.read_source(source)
        borrowed = calls.Borrowed()
        options = borrowed.array("warpbound_module_options *", None)
        options.machine_code_only = machine_code_only
        options.architecture = borrowed.text(architecture, "an architecture")
        options.module = borrowed.text(module, "a module's name")
        options.device = borrowed.text(device, "a device's name")
        options.kernel = borrowed.text(kernel, "a kernel's name")
        rows = [self._targets(row, borrowed) for row in targets]
        options.targets = borrowed.array("warpbound_targets[]", rows) if rows else ffi.NULL
        options.target_count = len(rows)
        assumed = [(borrowed.text(opcode), letter.encode()) for opcode, letter in (units or {}).items()]
        options.units = borrowed.array("warpbound_unit_assumption[]", assumed) if assumed else ffi.NULL
        options.unit_count = len(assumed)
        self.name = name
        self._handle = calls.make(
            "warpbound_module", lib.warpbound_module_free, (content, borrowed),
            lambda out, error: lib.warpbound_module_parse(borrowed.text(name or None), content, len(content),
                                                          options, out, error))

    @staticmethod
    def _targets(row: Targets, borrowed: calls.Borrowed) -> Any:
        made = borrowed.array("warpbound_targets *", None)
        made.kernel = borrowed.text(row.kernel)
        made.targets = borrowed.array("uint64_t[]", list(row.targets))
        calls.fill(made, address=row.address, target_count=len(row.targets))
        return made[0]

    @property
    def form(self) -> str:
        """"string", "ptx" or "sass"."""
        return calls.enum_word("warpbound_input_form", lib.warpbound_module_form(self._handle))

    @property
    def functions(self) -> List[Function]:
        """In the text's order."""
        return [self._function(index) for index in range(lib.warpbound_module_function_count(self._handle))]

    def _function(self, index: int) -> Function:
        handle = self._handle
        return Function(
            name=calls.string_of(lib.warpbound_module_function_name(handle, index)),
            demangled=calls.string_of(lib.warpbound_module_function_demangled(handle, index)),
            kernel=lib.warpbound_module_function_is_kernel(handle, index),
            sm=lib.warpbound_module_function_sm(handle, index),
            instructions=lib.warpbound_module_function_instruction_count(handle, index),
        )

    @property
    def sources(self) -> List[str]:
        """The source files that the text's line information names."""
        return calls.list_of(lib.warpbound_module_source_count(self._handle),
                             lambda index: lib.warpbound_module_source(self._handle, index))

    def kernel(self, name: Optional[str] = None) -> "Kernel":
        """The one kernel that the name means: mangled, demangled, without parameters; None: the only one."""
        borrowed = calls.Borrowed()
        return Kernel(self, calls.make(
            "warpbound_kernel", lib.warpbound_kernel_free, (self._handle,),
            lambda out, error: lib.warpbound_kernel_choose(self._handle, borrowed.text(name, "a kernel's name"),
                                                           out, error)))

    def __getitem__(self, name: str) -> "Kernel":
        return self.kernel(name)

    def __iter__(self) -> Iterator["Kernel"]:
        for index in range(len(self)):
            yield Kernel(self, calls.make(
                "warpbound_kernel", lib.warpbound_kernel_free, (self._handle,),
                lambda out, error: lib.warpbound_kernel_at(self._handle, index, out, error)))

    def __len__(self) -> int:
        return int(lib.warpbound_module_function_count(self._handle))

    def __repr__(self) -> str:
        return f"<warpbound.Module {self.name or 'of a text'}: {self.form}, {len(self)} functions>"

    def _repr_html_(self) -> str:
        rows = [(row.demangled, "kernel" if row.kernel else "function", f"sm_{row.sm}" if row.sm else "",
                 row.instructions) for row in self.functions]
        return tables.html_table(["function", "", "architecture", "instructions"], rows, self.name or None)


class Kernel:
    """A function of a module, and what can be asked of it."""

    def __init__(self, module: Module, handle: Any) -> None:
        self.module = module
        self._handle = handle

    @property
    def function(self) -> Function:
        return self.module._function(lib.warpbound_kernel_index(self._handle))

    def __repr__(self) -> str:
        return f"<warpbound.Kernel {self.function.demangled}>"

    def _analyse(self, kind: str, free: Callable[[Any], None], parents: Sequence[Any],
                 call: Callable[[Any, Any, Any], Any], limits: Optional[Limits],
                 make: Callable[[Any, str], Made], template: Any = None) -> Made:
        """The result of call(options, out, error). A limit that left a result is said in it; facts that are
        missing raise with what is known."""
        module = self.module._handle

        def work(options: Any) -> Tuple[int, Any, Any]:
            return calls.attempt(kind, free, (module, *parents), lambda out, error: call(options, out, error))

        status, handle, error = calls.under_limits(limits, work)
        if status == lib.WARPBOUND_LIMIT and handle is not None:
            return make(handle, calls.limit_of(status, error))
        if status == lib.WARPBOUND_FACTS_MISSING and handle is not None:
            raised = calls.exception_of(status, error)
            assert isinstance(raised, errors.FactsMissing)
            if template is not None:
                raised.template = calls.text_from(lambda out, error: template(handle, out, error))
                if kind == "warpbound_wcet":
                    raised.result = make(handle, "")
            raise raised
        calls.check(status, error)
        return make(handle, "")

    def control_flow(self, *, agreement: str = "all", reconvergence: str = "yield", masks_together: bool = False,
                     block: Optional[Dimensions] = None, limits: Optional[Limits] = None) -> ControlFlow:
        """The warp-level control-flow graph of machine code."""
        simt = ffi.new("warpbound_simt_options *")
        simt.agreement = calls.enumerator("warpbound_agreement", agreement, "agreement")
        simt.reconvergence = calls.enumerator("warpbound_reconvergence", reconvergence, "reconvergence")
        simt.masks_together = masks_together
        simt.block = calls.dimensions(block, "block")

        def call(options: Any, out: Any, error: Any) -> int:
            status: int = lib.warpbound_control_flow_analyse(self._handle, simt, options, out, error)
            if status != lib.WARPBOUND_OK:  # refused: a handle without a graph
                lib.warpbound_control_flow_free(out[0])
                out[0] = ffi.NULL
            return status

        return self._analyse("warpbound_control_flow", lib.warpbound_control_flow_free, (), call, limits,
                             lambda handle, limit: control_flow_of(handle))

    def wcet(self, *, parameters: Optional[Parameters] = None, grid: Optional[Dimensions] = None,
             block: Optional[Dimensions] = None, facts: Optional[Facts] = None,
             limits: Optional[Limits] = None) -> Wcet:
        """The WCET of one warp of machine code that runs alone."""
        question = self._question(facts, parameters, grid, block)
        wanted = question.borrowed.array("warpbound_wcet_options *", None)
        question.fill_wcet(wanted)
        return self._analyse(
            "warpbound_wcet", lib.warpbound_wcet_free, (question.annotations,),
            lambda options, out, error: lib.warpbound_wcet_analyse(self._handle, wanted, options, out, error),
            limits, wcet_of, lib.warpbound_wcet_template)

    def parameters(self, *, facts: Optional[Facts] = None, limits: Optional[Limits] = None) -> List[KernelParameter]:
        """The parameters of a kernel of machine code, by the names of its sources, and the loops that have no bound
        until they are given."""
        question = self._question(facts, None, None, None)
        wanted = question.borrowed.array("warpbound_wcet_options *", None)
        question.fill_wcet(wanted)
        return self._analyse(
            "warpbound_parameters", lib.warpbound_parameters_free, (question.annotations,),
            lambda options, out, error: lib.warpbound_parameters_find(self._handle, wanted, options, out, error),
            limits, lambda handle, limit: parameters_of(handle))

    def hybrid(self, times: Times, *, unmeasured: Union[str, int] = "refused", observed_counts: bool = False,
               parameters: Optional[Parameters] = None, block: Optional[Dimensions] = None,
               facts: Optional[Facts] = None, limits: Optional[Limits] = None) -> Hybrid:
        """The WCET of one warp by the longest measured times between places: an estimate.

        unmeasured       what code costs that no row covers: "refused", "static", or cycles of an instruction
        observed_counts  nothing is run more often than in some measured run
        """
        question = self._question(facts, parameters, None, block)
        wanted = question.borrowed.array("warpbound_hybrid_options *", None)
        question.fill_wcet(wanted.wcet)
        wanted.times = times._handle
        word = "cycles" if isinstance(unmeasured, int) else unmeasured
        wanted.unmeasured = calls.enumerator("warpbound_unmeasured", word, "unmeasured")
        calls.fill(wanted, unmeasured_cycles=unmeasured if isinstance(unmeasured, int) else 0,
                   observed_counts=observed_counts)
        return self._analyse(
            "warpbound_hybrid", lib.warpbound_hybrid_free, (question.annotations, times._handle),
            lambda options, out, error: lib.warpbound_hybrid_analyse(self._handle, wanted, options, out, error),
            limits, lambda handle, limit: hybrid_of(handle))

    def paths(self, *, order: str = "longest", iterations: int = 0, through: Optional[str] = None,
              takes: Sequence[str] = (), device: Optional[str] = None, allow_other_device: bool = False,
              parameters: Optional[Parameters] = None, block: Optional[Dimensions] = None,
              facts: Optional[Facts] = None, limits: Optional[Limits] = None) -> Paths:
        """The paths that a warp can take, and its kernel instruction string.

        order, iterations, through, takes  of PTX: which path (doc/ptx.md)
        """
        borrowed = calls.Borrowed()
        wanted = borrowed.array("warpbound_paths_options *", None)
        wanted.order = calls.enumerator("warpbound_path_order", order, "order")
        calls.fill(wanted, iterations=iterations, take_count=len(takes), allow_other_device=allow_other_device)
        wanted.through = borrowed.text(through)
        wanted.takes = borrowed.texts(takes, "takes")
        wanted.device = borrowed.text(device)
        parents: Tuple[Any, ...] = (borrowed,)
        if self.module.form == "sass":
            question = self._question(facts, parameters, None, block)
            question.fill_wcet(wanted.wcet)
            parents += (question.annotations,)
        return self._analyse(
            "warpbound_paths", lib.warpbound_paths_free, parents,
            lambda options, out, error: lib.warpbound_paths_find(self._handle, wanted, options, out, error),
            limits, lambda handle, limit: paths_of(handle))

    def run(self, *, seed: int = 0, lanes: int = 32, steps: int = 10000, groups: str = "random",
            reconvergence: str = "yield", masks_together: bool = False, limits: Optional[Limits] = None) -> Trace:
        """A random execution of one warp of machine code; the same seed gives the same run."""
        wanted = ffi.new("warpbound_trace_options *")
        calls.fill(wanted, seed=seed, lanes=lanes, steps=steps, masks_together=masks_together)
        wanted.groups = calls.enumerator("warpbound_group_order", groups, "groups")
        wanted.reconvergence = calls.enumerator("warpbound_reconvergence", reconvergence, "reconvergence")
        return self._analyse(
            "warpbound_trace", lib.warpbound_trace_free, (),
            lambda options, out, error: lib.warpbound_trace_run(self._handle, wanted, options, out, error),
            limits, lambda handle, limit: trace_of(handle))

    def analyze(self, *, grid: Dimensions, block: Dimensions, device: Union[str, Gpu],
                parameters: Optional[Parameters] = None, buffers: Optional[Mapping[str, Union[int, str]]] = None,
                dynamic_shared: Optional[int] = None, static_shared: Optional[int] = None,
                registers: Optional[int] = None, barriers: Optional[int] = None,
                assume_barriers: str = "shown", cluster: Optional[Dimensions] = None,
                carveout: Union[int, str, None] = None, balanced_dispatch: bool = False,
                warm_start: bool = False, warm_l2: bool = False, unlimited_queues: bool = False,
                unlimited_memory_queue: bool = False, allow_other_device: bool = False,
                as_if_compiled: bool = False, foreign_share: float = 0.0,
                foreign_rate: int = 0, foreign_burst: int = 0, more: Optional[Mapping[str, Any]] = None,
                sensitivity: bool = True, simulate: int = 5_000_000, seed: int = 0,
                facts: Optional[Facts] = None, limits: Optional[Limits] = None) -> Launch:
        """Bounds the time of a whole launch of machine code from above and below (doc/launch.md).

        grid, block         blocks of the launch, threads of a block
        device              a bundled device by name, or a Gpu
        buffers             what pointers among the parameters point to: {"param_2": 65536,
                            "0x10": "1M,read-only,aligned"}: an assumption
        dynamic_shared      bytes of a block that the launch asks for
        static_shared, registers, barriers  where the file does not say, or with as_if_compiled
        assume_barriers     of the warps of a block: "shown" (what the code shows), "same", "end"
        carveout            least bytes of an SM's shared memory, or "largest": an assumption
        balanced_dispatch   a block goes to an SM with the fewest blocks: an assumption
        warm_start, warm_l2  caches have what they need when the launch begins: assumptions
        unlimited_queues    no queue before the stages of an SM's loads and stores is ever full: an assumption
        unlimited_memory_queue  that before the GPU's memory is never full: an assumption
        more                further members of warpbound_launch_options, by their names in the header
        foreign_share       of the memory that other clients hold at most, 0 to 1; or foreign_rate in bytes
                            a second; foreign_burst bytes more
        simulate            most warp instructions to simulate for the lower end
        """
        question = self._question(facts, parameters, grid, block)
        gpu = device if isinstance(device, Gpu) else Gpu(device)
        wanted = question.borrowed.array("warpbound_launch_options *", None)
        question.fill_wcet(wanted.wcet)
        wanted.cluster = calls.dimensions(cluster, "cluster")
        wanted.barriers_known = calls.enumerator("warpbound_barriers", assume_barriers, "assume_barriers")
        room = lib.WARPBOUND_LARGEST_CARVEOUT if carveout == "largest" else carveout or 0
        if isinstance(room, str):
            raise errors.UsageError(f"carveout: expected a number of bytes or 'largest', found {room!r}")
        calls.fill(
            wanted, dynamic_shared=dynamic_shared or 0, has_dynamic_shared=dynamic_shared is not None,
            static_shared=static_shared or 0, has_static_shared=static_shared is not None,
            registers=registers or 0, barriers=barriers or 0, has_barriers=barriers is not None,
            allow_other_device=allow_other_device, balanced_dispatch=balanced_dispatch, simulate=simulate,
            seed=seed, sensitivity=sensitivity, carveout=room, as_if_compiled=as_if_compiled,
            # The next millionth above: an upper end must not rest on less than what was said.
            foreign_share=-int(-foreign_share * 1_000_000 // 1), foreign_rate=foreign_rate,
            foreign_burst=foreign_burst, warm_start=warm_start, warm_l2=warm_l2, unlimited_queues=unlimited_queues,
            unlimited_memory_queue=unlimited_memory_queue)
        calls.fill(wanted, **(more or {}))
        words = [f"{name}={size}" for name, size in (buffers or {}).items()]
        wanted.buffers, wanted.buffer_count = question.borrowed.texts(words, "buffers"), len(words)
        handle = gpu._lend()
        return self._analyse(
            "warpbound_launch", lib.warpbound_launch_free, (question.annotations, handle),
            lambda options, out, error: lib.warpbound_launch_analyse(self._handle, handle, wanted, options, out,
                                                                     error),
            limits, launch_of, lib.warpbound_launch_template)

    def _question(self, facts: Optional[Facts], parameters: Optional[Parameters], grid: Optional[Dimensions],
                  block: Optional[Dimensions]) -> Question:
        return Question(self.module._handle, facts, kernel=self.function.name, parameters=parameters, grid=grid,
                        block=block)
