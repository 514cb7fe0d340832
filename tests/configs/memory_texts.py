"""Texts as the programs print them, by version. Figures are made up and fit together."""

TORCH_1_3 = (
    "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.91 GiB total "
    "capacity; 9.79 GiB already allocated; 23.38 MiB free; 123.50 MiB cached)"
)
TORCH_1_12 = (
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 3; 15.78 GiB total capacity;"
    " 12.90 GiB already allocated; 1.42 GiB free; 13.35 GiB reserved in total by PyTorch) If "
    "reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation."
)
TORCH_2_1 = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB. GPU 0 has a total"
    " capacty of 79.15 GiB of which 1.21 GiB is free. Process 3918271 has 77.93 GiB memory in use. "
    "Of the allocated memory 70.56 GiB is allocated by PyTorch, and 6.41 GiB is reserved by PyTorch"
    " but unallocated. If reserved but unallocated memory is large try setting max_split_size_mb."
)
TORCH_2_5 = (
    "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.91 GiB. GPU 1 has a "
    "total capacity of 79.15 GiB of which 512.00 MiB is free. Process 77 has 20.00 GiB memory in "
    "use. Including non-PyTorch memory, this process has 58.60 GiB memory in use. Of the allocated "
    "memory 57.10 GiB is allocated by PyTorch, with 128.00 MiB allocated in private pools (e.g., "
    "CUDA Graphs), and 530.00 MiB is reserved by PyTorch but unallocated. If reserved but "
    "unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
)
HIP_2_6 = TORCH_2_5.replace("CUDA out of memory", "HIP out of memory")

SMI_TABLE = """
Mon Nov 30 12:00:00 2026
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|=========================================+========================+======================|
|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:07:00.0 Off |                    0 |
| N/A   54C    P0            367W /  400W |   71234MiB /  81920MiB |     98%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA A100-SXM4-80GB          On  |   00000000:0F:00.0 Off |                    0 |
| N/A   55C    P0            361W /  400W |   74512MiB /  81920MiB |     99%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
|  Processes:                                                                             |
|    0   N/A  N/A      1201      C   /usr/bin/python3                            71220MiB |
"""
SMI_OLD = """
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
|   0  Tesla V100-SXM2...  Off  | 00000000:1A:00.0 Off |                    0 |
| N/A   31C    P0    41W / 300W |  12113MiB / 16160MiB |      0%      Default |
"""
SMI_CSV = """index, name, memory.total [MiB], memory.used [MiB], utilization.gpu [%]
0, NVIDIA H100 80GB HBM3, 81559 MiB, 52020 MiB, 97 %
1, NVIDIA H100 80GB HBM3, 81559 MiB, 61234 MiB, 98 %
"""
SMI_CSV_NO_UNITS = """name, memory.used [MiB], memory.total [MiB]
NVIDIA GeForce RTX 4090, 20111, 24564
"""
SUMMARY_1 = """
|===========================================================================|
|                  PyTorch CUDA memory summary, device ID 0                 |
|---------------------------------------------------------------------------|
|            CUDA OOMs: 0            |        cudaMalloc retries: 0         |
|===========================================================================|
|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
|---------------------------------------------------------------------------|
| Allocated memory      |   12943 MB |   21021 MB |    1021 GB |    1009 GB |
|       from large pool |   12900 MB |   20900 MB |    1000 GB |     990 GB |
|---------------------------------------------------------------------------|
| GPU reserved memory   |   24008 MB |   24008 MB |   24008 MB |       0 B  |
"""
SUMMARY_2 = SUMMARY_1.replace(" MB", "MiB").replace(" GB", "GiB").replace("ID 0", "ID 2")
MEGATRON = (
    "[Rank 0] (after 2 iterations) memory (MB) | allocated: 31234.5 | max allocated: 42345.75 | "
    "reserved: 45000.0 | max reserved: 46000.0"
)
LOG_BYTES = "step 10 torch.cuda.max_memory_allocated(): 13653123072"
LOG_GB = "peak: max_memory_allocated = 12.75 GB, max_memory_reserved = 14.5 GB"

EVERY = {
    name: text for name, text in list(globals().items()) if name.isupper() and isinstance(text, str)
}
